'use strict';
/* Reads the data and paints the charts of each result that is open; of others when they are opened. */
(loadline => {
    const { el } = loadline;

    function addChart(chart, result, section) {
        const before = section.childElementCount;
        try {
            chart.add(result, section);
        } catch (error) {
            console.error(`${chart.name}:`, error);
            while (section.childElementCount > before)
                section.lastChild.remove(); /* what was begun of it */
            loadline.failedPanel(section, chart.name, error);
        }
    }
    async function paint(result, section) {
        try {
            await loadline.openTimeline(result);
        } catch (error) {
            console.error('timeline:', error);
            result.timeline = null;
            loadline.failedPanel(section, 'timeline', error);
        }
        loadline.drawTogether(() => loadline.charts.forEach(chart => addChart(chart, result, section)),
            loadline.failedPlace);
    }

    /* Resolves when its charts are painted, or at once when it is closed. */
    function prepare(result, article) {
        const section = article.querySelector('section.charts');
        const details = article.closest('details');
        if (!section)
            return null;
        if (!details || details.open)
            return paint(result, section);
        details.addEventListener('toggle', () => paint(result, section), { once: true });
        return null;
    }

    function sayAll(text) {
        for (const section of document.querySelectorAll('section.charts'))
            section.append(el('p', { class: 'note' }, loadline.t(text)));
    }
    function painted() {
        /* A page in the background gets no animation frame: the timer stands in for it. */
        return new Promise(resolve => {
            requestAnimationFrame(() => setTimeout(resolve));
            setTimeout(resolve, 250);
        });
    }
    async function paintAll(block) {
        if (typeof DecompressionStream === 'undefined') {
            sayAll('This browser is too old for the charts; the tables have all numbers.');
            return;
        }
        try {
            await loadline.readData(block.textContent);
        } catch (error) {
            console.error('data:', error);
            sayAll('The data of this page is damaged: there are no charts. Make the page again from the results.');
            return;
        }
        loadline.watch();
        const { results } = loadline.data;
        const articles = [...document.querySelectorAll('article.result')].slice(0, results.length);
        await Promise.all(articles.map((article, index) => prepare(results[index], article)));
        await painted();
    }
    /* For what can wait until everything is painted. */
    let tell = null;
    loadline.painted = new Promise(resolve => { tell = resolve; });
    async function main() {
        const block = document.getElementById('data');
        if (!block)
            return;
        await paintAll(block);
        document.documentElement.dataset.painted = String(Math.round(performance.now()));
        tell();
    }

    loadline.main = main;
    if (document.readyState === 'loading')
        document.addEventListener('DOMContentLoaded', main);
    else
        main();
})(globalThis.loadline);
