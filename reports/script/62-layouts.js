'use strict';
/* Layouts side by side: bars of commits/s for each number of streams, with what the one that shares
 * most is multiplied by. */
(loadline => {
    const { isKnown, findings, groupOf, metric, placeText, choose, interval } = loadline.find;
    const BAR_PX = 14;
    const ROW_PX = 38;
    const HEAD_PX = 26;
    const AXIS_PX = 40;

    /* Rows from top to bottom: a heading for each number of streams, a row for each layout.
     * { items: [{ y, streams } | { y, row }], height } */
    function layOut(rows) {
        const items = [];
        let y = 0;
        let last;
        for (const row of rows) {
            if (row.streams !== last) {
                items.push({ y, streams: row.streams });
                y += HEAD_PX;
                last = row.streams;
            }
            items.push({ y, row });
            y += ROW_PX;
        }
        return { items, height: y };
    }
    /* By streams, and in each the layout that shares most first. */
    const ordered = rows => rows.map((row, index) => ({ row, index }))
        .sort((a, b) => a.row.streams - b.row.streams || a.index - b.index).map(({ row }) => row);

    function withInterval(result, finding, row) {
        const [, low, high] = metric(result,
            groupOf(result, finding, { streams: row.streams, layout: row.layout }), 'commits_per_s');
        return { ...row, rate_low: low, rate_high: high };
    }
    function verdictText(row) {
        if (!isKnown(row.ratio))
            return '';
        const range = interval(row.low, row.high);
        const word = row.verdict ? `, ${loadline.t(row.verdict)}` : '';
        return `\u00d7${loadline.number(row.ratio)}${range && ` (${range})`}${word}`;
    }

    function drawRow(root, { row, y }, x, colors, width) {
        const { pieces } = loadline;
        const color = colors.get(row.layout);
        pieces.text(root, 0, y + 12, row.layout, { class: 'drawn-text drawn-strong' });
        pieces.text(root, width, y + 12, verdictText(row), { 'text-anchor': 'end' });
        pieces.rect(root, x(0), y + 17, x(row.commits_per_s) - x(0), BAR_PX, color, { class: 'drawn-bar' });
        let end = x(row.commits_per_s);
        if (isKnown(row.rate_low) && row.rate_low < row.rate_high) {
            const middle = y + 17 + BAR_PX / 2;
            const [low, high] = [x(row.rate_low), x(row.rate_high)];
            const node = loadline.svg('path', { 'stroke-width': 1.25,
                d: `M ${low} ${middle - 4} v 8 M ${high} ${middle - 4} v 8 M ${low} ${middle} H ${high}` });
            root.append(pieces.paint(node, { stroke: 'ink', fill: 'none' }));
            end = Math.max(end, high);
        }
        pieces.text(root, end + 5, y + 17 + BAR_PX - 3, loadline.number(row.commits_per_s));
    }
    function draw(place, rows, colors, width) {
        const { pieces } = loadline;
        const { items, height } = layOut(rows);
        const most = Math.max(...rows.flatMap(row => [row.commits_per_s, row.rate_high]).filter(isKnown));
        const x = loadline.axis.scale({ from: 0, to: most }, 0, width - 56);
        const root = loadline.svg('svg', { width, height: height + AXIS_PX, 'aria-hidden': 'true',
            viewBox: `0 0 ${width} ${height + AXIS_PX}` });
        const ticks = loadline.ticks.linear(0, most, Math.floor(width / 90));
        for (const tick of ticks)
            root.append(loadline.svg('line',
                { class: 'drawn-gridline', x1: x(tick), x2: x(tick), y1: 0, y2: height }));
        for (const item of items)
            if (item.row)
                drawRow(root, item, x, colors, width);
            else
                pieces.text(root, 0, item.y + 16,
                    loadline.t(item.streams === 1 ? '1 stream' : `${item.streams} streams`));
        const labels = ticks.map(tick => ({ at: x(tick), text: loadline.short(tick) }));
        for (const { at, text } of loadline.axis.apart(labels))
            pieces.text(root, at, height + 14, text, { 'text-anchor': at < 8 ? 'start' : 'middle' });
        pieces.text(root, width, height + 30, loadline.t('commits/s'),
            { 'text-anchor': 'end', class: 'drawn-text drawn-name' });
        place.replaceChildren(root);
    }

    function add(result, section) {
        const all = findings(result, 'contention').filter(finding =>
            (finding.rows || []).some(row => isKnown(row.commits_per_s)));
        if (all.length === 0)
            return;
        const layouts = [...new Set(all.flatMap(finding => finding.rows.map(row => row.layout)))];
        const colors = new Map(layouts.map((layout, index) => [layout, `s${index % 8}`]));
        let rows = [];
        const panel = loadline.panel(section, { id: 'layouts', title: 'What sharing costs',
            note: 'Ratios are to the layout that shares most; intervals are over the repeats.',
            table: () => ({ columns: [{ name: 'streams' }, { name: 'layout' }, { name: 'commits/s' }, { name: 'ratio' },
                { name: 'low' }, { name: 'high' }, { name: 'verdict' }],
            rows: rows.map(row => [row.streams, row.layout, row.commits_per_s, row.ratio, row.low, row.high,
                row.verdict ? loadline.t(row.verdict) : '-']) }) });
        const chart = loadline.el('div', { class: 'drawn' });
        panel.plot.append(chart);
        const says = loadline.find.saying(panel);
        const names = loadline.find.namesOf(all);
        const show = finding => {
            rows = ordered(finding.rows.filter(row => isKnown(row.commits_per_s)))
                .map(row => withInterval(result, finding, row));
            const lines = loadline.find.sentences(finding);
            loadline.find.say(says, lines, names.length > 1 && names[all.indexOf(finding)]);
            panel.describe(`${loadline.t(placeText(finding))}: ${lines.join('; ')}`);
            if (chart.clientWidth > 0)
                draw(chart, rows, colors, Math.floor(chart.clientWidth));
        };
        choose(panel, 'Show', names, 0, index => show(all[index]));
        show(all[0]);
        loadline.keepDrawn(chart, width => draw(chart, rows, colors, width));
    }

    loadline.layouts = { layOut, ordered };
    loadline.charts.push({ name: 'layouts', add });
})(globalThis.loadline);
