'use strict';
/* What the server's sessions waited for: over time, and side by side for each group. Ten kinds are
 * more than colours can tell apart, so that each has a pattern too. */
(loadline => {
    const { isKnown, groupText, groupNames } = loadline.find;
    const { svg, el } = loadline;
    const LEAST_SHARE = 0.005; /* kinds that never reach it are left out */
    const ROW_PX = 34;
    const BAR_PX = 14;
    /* In the words of PostgreSQL's own views and manual. */
    const KINDS = {
        cpu: { name: 'CPU (no wait)', color: 'cpu', pattern: 'plain' },
        flush: { name: 'WAL write and flush', color: 'flushes', pattern: 'plain' },
        group: { name: 'group commit (another one flushes)', color: 'flushes', pattern: 'rising' },
        log_insert: { name: 'WAL insertion', color: 'wal', pattern: 'plain' },
        extend: { name: 'relation extension', color: 's1', pattern: 'falling' },
        row: { name: 'row and transaction locks', color: 's3', pattern: 'dots' },
        buffer: { name: 'buffer content', color: 's5', pattern: 'level' },
        file: { name: 'data file I/O', color: 'bytes', pattern: 'upright' },
        client: { name: 'client', color: 'host', pattern: 'rising' },
        other: { name: 'other', color: 'muted', pattern: 'dots' },
    };
    const PATTERNS = {
        rising: 'M -1 1 L 1 -1 M 0 6 L 6 0 M 5 7 L 7 5',
        falling: 'M -1 5 L 1 7 M 0 0 L 6 6 M 5 -1 L 7 1',
        level: 'M 0 3 H 6',
        upright: 'M 3 0 V 6',
        dots: 'M 1 3 H 2.8 M 4 0 H 5.8 M 4 6 H 5.8',
    };
    const kindOf = name => KINDS[name] || { ...KINDS.other, name };

    /* Bottom and top of each kind in a stack; unknown shares are nothing. */
    function stack(shares) {
        let sum = 0;
        return shares.map(share => {
            const from = sum;
            sum += isKnown(share) && share > 0 ? share : 0;
            return [from, sum];
        });
    }
    /* Columns of time in stretches without a hole: areas must not bridge what nobody saw. */
    function stretches(columns) {
        const list = [];
        let last = null;
        for (const column of columns) {
            const gap = last && column[0] - last[1];
            if (!last || gap > 2 * (last[1] - last[0]))
                list.push([]);
            list[list.length - 1].push(column);
            last = column;
        }
        return list;
    }
    const noticed = (names, lists) => names.map((_, k) => k)
        .filter(k => lists.some(shares => isKnown(shares[k]) && shares[k] >= LEAST_SHARE));

    /* ---- colours with patterns ---- */

    function definitions(names, prefix) {
        const defs = svg('defs');
        names.forEach((name, index) => {
            const { color, pattern } = kindOf(name);
            const tile = svg('pattern',
                { id: `${prefix}-${index}`, width: 6, height: 6, patternUnits: 'userSpaceOnUse' });
            loadline.pieces.rect(tile, 0, 0, 6, 6, color);
            if (PATTERNS[pattern]) {
                const stroke = svg('path', { d: PATTERNS[pattern], 'stroke-width': 1.6 });
                tile.append(loadline.pieces.paint(stroke, { stroke: 'var(--panel)', fill: 'none' }));
            }
            defs.append(tile);
        });
        return defs;
    }
    const fillOf = (prefix, index) => `url(#${prefix}-${index})`;

    function legendOf(names, shown, prefix) {
        return el('div', { class: 'legend' }, shown.map(index => {
            const picture = svg('svg', { width: 24, height: 12, viewBox: '0 0 24 12', 'aria-hidden': 'true' });
            loadline.pieces.rect(picture, 0, 0, 24, 12, fillOf(prefix, index));
            return el('span', { class: 'entry' }, picture, el('span', {}, loadline.t(kindOf(names[index]).name)));
        }));
    }

    /* ---- over time ---- */

    function areaOf(stretch, index, { x, y }) {
        const stacks = stretch.map(([, , shares]) => stack(shares)[index]);
        const at = (values, side) => values.flatMap(([start, end], k) =>
            [[x(start), y(stacks[k][side])], [x(end), y(stacks[k][side])]]);
        return [...at(stretch, 1), ...at(stretch, 0).reverse()];
    }
    function timeSpec({ names, columns }, shown, prefix) {
        const from = columns[0][0];
        const to = columns[columns.length - 1][1];
        const { unit, size, values } = loadline.ticks.time(from, to, 8);
        return {
            height: 240,
            x: { label: `time, ${unit}`, from, to, ticks: values, format: value => loadline.short(value / size) },
            y: { label: 'share of the streams\u2019 time', from: 0, to: 1, format: loadline.percent },
            paint(root, places) {
                for (const stretch of stretches(columns))
                    for (const index of shown) {
                        const points = areaOf(stretch, index, places).map(([px, py]) =>
                            `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
                        root.append(loadline.pieces.paint(svg('polygon', { points }), { fill: fillOf(prefix, index) }));
                    }
                return shown.flatMap(index => columns.map(([start, end, shares]) => {
                    const [low, high] = stack(shares)[index];
                    const kind = loadline.t(kindOf(names[index]).name);
                    return { x: places.x((start + end) / 2), y: places.y((low + high) / 2),
                        text: `${loadline.number(start)} s: ${kind} ${loadline.percent(shares[index])}` };
                }));
            },
        };
    }

    /* ---- for each group ---- */

    function leading(names, shares) {
        let best = 0;
        shares.forEach((share, k) => {
            if (share > (shares[best] ?? 0))
                best = k;
        });
        return `${loadline.t(kindOf(names[best]).name)} ${loadline.percent(shares[best])}`;
    }
    function drawRows(place, result, { names, rows }, shown, prefix, width) {
        const titles = groupNames(result, rows.map(row => row.group));
        const { pieces } = loadline;
        const height = rows.length * ROW_PX + 34;
        const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
        const x = loadline.axis.scale({ from: 0, to: 1 }, 1, width - 1);
        rows.forEach(({ shares }, row) => {
            const top = row * ROW_PX;
            pieces.text(root, 0, top + 11, titles[row], { class: 'drawn-text drawn-strong' });
            const words = leading(names, shares);
            const room = width - loadline.axis.textWidth(titles[row]) - 24;
            if (loadline.axis.textWidth(words) < room)
                pieces.text(root, width, top + 11, words, { 'text-anchor': 'end' });
            const stacked = stack(shares);
            for (const index of shown)
                pieces.rect(root, x(stacked[index][0]), top + 16, x(stacked[index][1]) - x(stacked[index][0]),
                    BAR_PX, fillOf(prefix, index), { class: 'drawn-part' });
        });
        for (const share of [0, 0.25, 0.5, 0.75, 1])
            pieces.text(root, x(share), height - 20, loadline.percent(share),
                { 'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle' });
        pieces.text(root, width, height - 4, loadline.t('share of the streams\u2019 time'),
            { 'text-anchor': 'end', class: 'drawn-text drawn-name' });
        place.replaceChildren(root);
    }

    function patternsFor(panel, names) {
        const prefix = `${panel.figure.id}-kind`;
        panel.figure.append(svg('svg', { width: 0, height: 0, class: 'drawn-defs', 'aria-hidden': 'true' },
            definitions(names, prefix)));
        return prefix;
    }
    function addRows(result, section, waits) {
        const { names, rows } = waits;
        const shown = noticed(names, rows.map(row => row.shares));
        const panel = loadline.panel(section, { id: 'waits', title: 'What the server waited for',
            note: 'Sampled: the share of all looks at the sessions.',
            table: () => ({ columns: [{ name: 'group' },
                ...names.map(name => ({ name: kindOf(name).name, unit: '%' }))],
                rows: rows.map(row => [groupText(result, row.group), ...row.shares.map(share =>
                    isKnown(share) ? 100 * share : NaN)]) }) });
        const prefix = patternsFor(panel, names);
        const chart = el('div', { class: 'drawn' });
        panel.plot.append(legendOf(names, shown, prefix), chart);
        panel.describe(rows.map(row => `${groupText(result, row.group)}: ${leading(names, row.shares)}`).join('; '));
        loadline.keepDrawn(chart, width => drawRows(chart, result, waits, shown, prefix, width));
    }
    function addColumns(result, section, waits) {
        const { names, columns } = waits;
        const shown = noticed(names, columns.map(column => column[2]));
        const panel = loadline.panel(section, { id: 'waits-time', title: 'What the server waited for, over time',
            table: () => ({ columns: [{ name: 'from', unit: 's' }, { name: 'to', unit: 's' },
                ...names.map(name => ({ name: kindOf(name).name, unit: '%' }))],
            rows: columns.map(([start, end, shares]) => [start, end, ...shares.map(share =>
                isKnown(share) ? 100 * share : NaN)]) }) });
        const prefix = patternsFor(panel, names);
        const mean = k => columns.reduce((sum, column) => sum + (column[2][k] || 0), 0) / columns.length;
        panel.figure.classList.add('wide');
        panel.plot.append(legendOf(names, shown, prefix));
        panel.describe(leading(names, names.map((_, k) => mean(k))));
        loadline.frame(panel.plot, timeSpec(waits, shown, prefix));
    }
    function add(result, section) {
        const { waits } = result;
        if (!waits)
            return;
        if (waits.rows?.length)
            addRows(result, section, waits);
        if (waits.columns?.length > 1)
            addColumns(result, section, waits);
    }

    loadline.waits = { stack, stretches, noticed };
    loadline.charts.push({ name: 'waits', add });
})(globalThis.loadline);
