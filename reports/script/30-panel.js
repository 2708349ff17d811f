'use strict';
/* A chart's frame: caption, note, the place to draw in, and its numbers as a table on demand. */
(loadline => {
    const { el } = loadline;
    const MOST_ROWS = 500;

    const heading = ({ name, unit }) =>
        unit ? `${loadline.t(name)} (${loadline.t(unit)})` : loadline.t(name);
    function cell(value, { format = loadline.number }) {
        if (typeof value === 'string')
            return el('td', {}, value);
        return el('td', { class: 'n' }, format(value));
    }
    /* Every so-manieth row, from the first on, so that no more than MOST_ROWS are left. */
    function thinned(rows) {
        const every = Math.ceil(rows.length / MOST_ROWS);
        return rows.filter((_, index) => index % every === 0);
    }
    /* `total`: of how many rows these are a part, where table() has left some out itself. */
    function buildTable(title, { columns, rows, total = rows.length }) {
        const shown = thinned(rows);
        const numeric = columns.map((_, index) => shown.some(row => typeof row[index] === 'number'));
        const table = el('table', {},
            el('caption', {}, title),
            el('thead', {}, el('tr', {}, columns.map((column, index) =>
                el('th', { scope: 'col', class: numeric[index] && 'n' }, heading(column))))),
            el('tbody', {}, shown.map(row => el('tr', {},
                row.map((value, index) => cell(value, columns[index]))))));
        const part = shown.length < total && el('p', { class: 'note' },
            loadline.t(`${shown.length} of ${total} rows, evenly chosen`));
        return el('div', { class: 'data' }, part,
            el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, table));
    }

    /* Asked anew at each opening: what is shown may have been zoomed since. */
    function tableButton(title, table) {
        let shown = null;
        const button = el('button', { type: 'button', 'aria-expanded': 'false' }, loadline.t('Table'));
        button.addEventListener('click', () => {
            if (shown)
                shown.remove();
            shown = shown ? null : buildTable(title, table());
            if (shown)
                button.closest('figure').append(shown);
            button.setAttribute('aria-expanded', String(Boolean(shown)));
        });
        return button;
    }

    /* A single button takes the caption's line, not one of its own. */
    function beside(figure, controls) {
        figure.style.position = 'relative';
        figure.firstChild.style.paddingRight = '5.5rem';
        Object.assign(controls.style, { position: 'absolute', top: '0.6rem', right: '0.75rem', padding: '0' });
    }

    /* Returns { figure, plot, head, steer, describe }: describe(sentence) says in words what the plot
     * shows; steer(nodes) puts what steers the chart before the button, into head. */
    loadline.panel = (section, { id, title, note, table }) => {
        const owner = section.closest('article');
        const name = owner && owner.id ? `${owner.id}-${id}` : id;
        const text = loadline.t(title);
        const plot = el('div', { class: 'plot', role: 'img', 'aria-label': text });
        const controls = el('div', { class: 'controls' }, table && tableButton(text, table));
        plot.style.height = 'auto'; /* its parts have their own */
        const figure = el('figure', { class: 'panel', id: name, 'data-chart': id },
            el('figcaption', {}, el('h3', {}, text), note && el('p', { class: 'note' }, loadline.t(note))),
            controls, plot);
        section.append(figure);
        /* Known when the chart has been made. */
        queueMicrotask(() => controls.childElementCount === 1 && controls.querySelector(':scope > button')
            && beside(figure, controls));
        return {
            figure, plot, head: controls,
            steer: nodes => controls.prepend(...[nodes].flat()),
            describe: sentence => plot.setAttribute('aria-label', `${text}. ${sentence}`),
        };
    };

    /* Instead of the figure in which `place` could not be drawn. */
    loadline.failedPlace = (place, error) => {
        const figure = place.closest('figure');
        console.error(`${figure?.dataset.chart}:`, error);
        if (!figure)
            return;
        const section = figure.parentElement;
        figure.remove();
        loadline.failedPanel(section, figure.dataset.chart, error);
    };
    /* Says in the figure's place that it could not be drawn. */
    loadline.failedPanel = (section, id, error) => {
        section.append(el('figure', { class: 'panel failed', 'data-chart': id, 'data-failed': true },
            el('p', { class: 'note' },
                loadline.t('This chart could not be drawn; the tables below have its numbers.'), ' ',
                el('code', {}, error.message))));
    };
})(globalThis.loadline);
