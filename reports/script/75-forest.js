'use strict';
/* Results side by side: for each place and metric the ratio to the first drive with its interval, on
 * a logarithmic axis around 1. Rows of a real table, so that each is read, selected and printed. */
(loadline => {
    const { isKnown, factorText } = loadline.find;
    const { el, svg } = loadline;
    const WIDEST = 100; /* wider ratios end in an arrow */
    const NARROWEST = 1.1; /* the axis shows at least so much on both sides */
    const DEFAULT_MARGIN = 0.05;
    const TICKS = [1, 10, 0.1, 100, 0.01, 0.5, 2, 0.2, 5, 0.05, 20, 50, 0.02, 1.5, 0.7, 0.8, 1.25, 0.9, 1.1,
        0.95, 1.05];
    const TICK_ROOM = 0.13; /* of the axis, between two labels; on a telephone: */
    const NARROW_ROOM = 0.34;

    /* { low, high, at(ratio) -> share of the axis from 0 to 1, ticks } around 1. */
    function axisOf(ratios) {
        let low = 1 / NARROWEST;
        let high = NARROWEST;
        for (const { ratio, low: least, high: most } of ratios)
            for (const value of [ratio, least, most])
                if (isKnown(value) && value > 0) {
                    low = Math.min(low, Math.max(value, 1 / WIDEST));
                    high = Math.max(high, Math.min(value, WIDEST));
                }
        const room = (high / low) ** 0.04;
        low /= room;
        high *= room;
        const at = ratio => Math.min(1, Math.max(0, Math.log(ratio / low) / Math.log(high / low)));
        return { low, high, at, ticks: ticksOf(low, high, at, TICK_ROOM),
            narrow: ticksOf(low, high, at, NARROW_ROOM) };
    }
    /* The roundest first, as many as have room. */
    function ticksOf(low, high, at, room) {
        const taken = [];
        for (const tick of TICKS)
            if (tick >= low && tick <= high && taken.every(other => Math.abs(at(other) - at(tick)) >= room))
                taken.push(tick);
        return taken.sort((a, b) => a - b);
    }

    const rowsOf = group => group.metrics.flatMap(metric =>
        metric.ratios.map(ratio => ({ metric, ratio })));
    function groupName({ part, phase, streams, rows_per_commit: rows, factors = {} }) {
        const own = { ...(isKnown(streams) ? { streams } : {}), ...(isKnown(rows) ? { rows_per_commit: rows } : {}),
            ...factors };
        const head = part ? `${phase} (${part})` : phase;
        return [head, ...Object.entries(own).map(([key, value]) => factorText(key, value))].join(', ');
    }

    /* ---- pieces of a row ---- */

    const percent = share => `${(100 * share).toFixed(2)}%`;
    function ground(root, axis, margin) {
        const left = axis.at(1 - margin);
        root.append(loadline.pieces.paint(svg('rect', { x: percent(left), y: 0, height: '100%',
            width: percent(axis.at(1 + margin) - left) }), { fill: 'band' }));
        for (const tick of axis.ticks)
            root.append(svg('line', { x1: percent(axis.at(tick)), x2: percent(axis.at(tick)), y1: 0, y2: '100%',
                class: tick === 1 ? 'forest-one' : 'drawn-gridline' }));
    }
    function arrow(root, share, isRight, y) {
        root.append(svg('text', { x: percent(share), y: y + 4, class: 'drawn-text',
            'text-anchor': isRight ? 'end' : 'start' },
            isRight ? '\u25b6' : '\u25c0'));
    }
    const TOLD = ['better', 'worse', 'higher', 'lower'];
    function markOf(axis, margin, { ratio, low, high, verdict }) {
        const height = 22;
        const y = height / 2;
        const root = svg('svg', { width: '100%', height, class: 'forest-row', 'aria-hidden': 'true' });
        ground(root, axis, margin);
        if (!isKnown(ratio) || !(ratio > 0))
            return root;
        const color = TOLD.includes(verdict) ? 'ink' : 'muted';
        if (isKnown(low) && isKnown(high) && low > 0)
            root.append(loadline.pieces.paint(svg('line', { x1: percent(axis.at(low)), x2: percent(axis.at(high)),
                y1: y, y2: y, 'stroke-width': 2 }), { stroke: color }));
        for (const end of [low, high])
            if (isKnown(end) && end > 0 && end >= axis.low && end <= axis.high)
                root.append(loadline.pieces.paint(svg('line', { x1: percent(axis.at(end)), x2: percent(axis.at(end)),
                    y1: y - 4, y2: y + 4, 'stroke-width': 1.5 }), { stroke: color }));
        if (ratio > axis.high || ratio < axis.low)
            arrow(root, axis.at(ratio), ratio > axis.high, y);
        else
            root.append(loadline.pieces.paint(
                svg('circle', { cx: percent(axis.at(ratio)), cy: y, r: 4.5, 'stroke-width': 2 }),
                { fill: TOLD.includes(verdict) ? color : 'var(--panel)', stroke: color }));
        return root;
    }
    function scaleOf(axis) {
        const root = svg('svg', { width: '100%', height: 18, class: 'forest-row', 'aria-hidden': 'true' });
        for (const tick of axis.ticks) {
            const at = axis.at(tick);
            root.append(svg('text', { x: percent(at), y: 12,
                class: axis.narrow.includes(tick) ? 'drawn-text' : 'drawn-text forest-wide',
                'text-anchor': at < 0.05 ? 'start' : at > 0.95 ? 'end' : 'middle' }, loadline.short(tick)));
        }
        return root;
    }
    const twoDigits = value => isKnown(value) ? (value >= 10 ? loadline.number(value) : value.toFixed(2)) : '-';
    const intervalText = ({ low, high }) => isKnown(low) && isKnown(high)
        ? `${twoDigits(low)}\u2013${twoDigits(high)}` : '-';
    function verdictText({ drive, verdict, because }) {
        const word = TOLD.includes(verdict) ? `${drive} ${loadline.t(verdict)}` : loadline.t(verdict ?? '-');
        return because ? `${word} (${loadline.t(because)})` : word;
    }

    /* ---- the table ---- */

    function rowOf(axis, margin, several, { metric, ratio }) {
        return el('tr', {},
            el('th', { scope: 'row' }, several && el('b', {}, ratio.drive, ' '), loadline.t(metric.name)),
            el('td', { class: 'forest-plot' }, markOf(axis, margin, ratio)),
            el('td', { class: 'n' }, twoDigits(ratio.ratio)),
            el('td', { class: 'n forest-interval' }, intervalText(ratio)),
            el('td', { class: TOLD.includes(ratio.verdict) ? 'forest-told' : 'forest-open' }, verdictText(ratio)));
    }
    function tableOf(comparison, axis, margin) {
        const several = comparison.drives.length > 2;
        const base = comparison.drives[0]?.name ?? 'A';
        const head = el('thead', {}, el('tr', {},
            el('th', { scope: 'col' }, loadline.t('metric')),
            el('th', { scope: 'col', class: 'forest-plot' },
                loadline.t(`ratio to ${base}, 95% interval, logarithmic`), scaleOf(axis)),
            el('th', { scope: 'col', class: 'n' }, loadline.t('ratio')),
            el('th', { scope: 'col', class: 'n forest-interval' }, loadline.t('95% interval')),
            el('th', { scope: 'col' }, loadline.t('verdict'))));
        return el('table', { class: 'forest' }, head, comparison.groups.map(group => el('tbody', {},
            el('tr', { class: 'forest-group' },
                el('th', { scope: 'rowgroup', colspan: 5 }, loadline.t(groupName(group)))),
            rowsOf(group).map(row => rowOf(axis, margin, several, row)))));
    }
    function sentence(rows) {
        const counts = new Map();
        for (const { ratio } of rows)
            counts.set(ratio.verdict, (counts.get(ratio.verdict) || 0) + 1);
        return `${rows.length} ${loadline.t('ratios')}: `
            + [...counts].map(([word, count]) => `${count} ${loadline.t(word ?? '-')}`).join(', ');
    }
    /* Into the comparison's own section, once a page. */
    function addComparison(comparison, section) {
        const rows = (comparison.groups || []).flatMap(rowsOf);
        if (rows.length === 0 || !rows.some(({ ratio }) => isKnown(ratio.ratio)))
            return;
        const margin = isKnown(comparison.margin) ? comparison.margin : DEFAULT_MARGIN;
        const axis = axisOf(rows.map(({ ratio }) => ratio));
        const panel = loadline.panel(section, { id: 'forest', title: 'Ratios with their intervals',
            note: 'The band is the margin within which two are called the same. Filled: the interval tells; open: the same, or not told.' });
        panel.figure.classList.add('wide');
        panel.plot.removeAttribute('role');
        panel.plot.removeAttribute('aria-label');
        panel.figure.setAttribute('aria-label', sentence(rows));
        panel.plot.append(tableOf(comparison, axis, margin));
    }
    function add() {
        const section = document.querySelector('section.comparison-charts');
        const { comparison } = loadline.data;
        if (!section || !comparison)
            return;
        section.replaceChildren();
        try {
            addComparison(comparison, section);
        } catch (error) {
            console.error('forest:', error);
            section.replaceChildren();
            loadline.failedPanel(section, 'forest', error);
        }
    }

    /* No chart of a result: where results are compared all of them are closed at first. It is painted
     * when the data is there, and anew when the language changes. */
    const read = loadline.readData;
    loadline.readData = async text => {
        const data = await read(text);
        add();
        new MutationObserver(add).observe(document.documentElement, { attributes: true, attributeFilter: ['lang'] });
        return data;
    };
    loadline.forest = { axisOf, rowsOf, groupName, verdictText, addComparison };
})(globalThis.loadline);
