'use strict';
/* How many transactions are slower than so many ms: the tail, which a mean hides. */
(loadline => {
    const { isKnown, groupText, groupNames, choose } = loadline.find;
    const MOST_CURVES = 12;
    const LEAST_SHARE = 1e-6;
    const BESIDE_PX = 36; /* for the percentiles' names */
    const LABEL_PX = 12;
    const COLORS = 8;
    const QUANTILES = [
        { name: 'p50', above: 0.5, shape: 'circle' },
        { name: 'p99', above: 0.01, shape: 'diamond' },
        { name: 'p99.9', above: 0.001, shape: 'square' },
    ];

    /* The ms that a share of `above` is slower than; NaN with fewer than 10 / above samples. */
    function quantile({ count, points }, above) {
        if (!(count >= 10 / above))
            return NaN;
        const found = points.find(([ms, share]) => isKnown(ms) && share <= above);
        return found ? found[0] : NaN;
    }
    /* Of many groups those of the first phase, and of these some evenly: a chart of 40 curves shows
     * nothing. Indices into `latency`. */
    function chosenCurves(latency, groups) {
        const all = latency.map((_, index) => index);
        if (all.length <= MOST_CURVES)
            return all;
        const phase = groups[latency[0].group]?.phase;
        const first = all.filter(index => groups[latency[index].group]?.phase === phase);
        return loadline.find.pick(first.length, MOST_CURVES).map(k => first[k]);
    }
    /* On logarithmic axes neither 0 ms nor a share of 0 has a place. */
    const drawable = points => points.filter(([ms, share]) => ms > 0 && share >= LEAST_SHARE);

    function axes(curves) {
        const all = curves.flatMap(curve => drawable(curve.points));
        const ms = all.map(([x]) => x);
        const least = Math.min(...all.map(([, share]) => share));
        return {
            x: { label: 'transaction, ms', log: true, from: Math.min(...ms) / 1.1, to: Math.max(...ms) * 1.15 },
            y: { label: 'share of transactions slower', log: true, to: 1,
                from: 10 ** Math.floor(Math.log10(Math.max(least, LEAST_SHARE)) + 1e-9),
                format: loadline.percent,
                ticks: [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6].filter(share => share >= least / 9.99) },
        };
    }

    function drawGuides(root, { area, y }, from) {
        for (const { name, above } of QUANTILES) {
            if (above < from)
                continue;
            loadline.pieces.line(root, [[area.left, y(above)], [area.right, y(above)]], 'muted',
                { 'stroke-dasharray': '1 4', class: 'drawn-guide' });
            loadline.pieces.text(root, area.right + 4, y(above) + 4, name);
        }
    }
    /* A curve's number at its end, moved aside until it lies on no other. */
    function drawNumber(root, [x, y], number, taken) {
        const width = loadline.axis.textWidth(number) + 3;
        let left = x + 4;
        while (taken.some(other => Math.abs(other.y - y) < LABEL_PX && left < other.left + other.width
            && other.left < left + width))
            left += 3;
        taken.push({ left, y, width });
        loadline.pieces.text(root, left, y + 4, number, { class: 'drawn-text drawn-note' });
    }
    function drawCurve(root, { x, y }, entry, targets, taken) {
        const { pieces } = loadline;
        const pixels = drawable(entry.curve.points).map(([ms, share]) => [x(ms), y(share)]);
        pieces.line(root, pixels, entry.color, { 'stroke-dasharray': entry.dash?.join(' ') });
        const end = pixels[pixels.length - 1];
        if (end)
            drawNumber(root, end, entry.number, taken);
        for (const { name, above, shape } of QUANTILES) {
            const ms = quantile(entry.curve, above);
            if (!isKnown(ms) || !(ms > 0))
                continue;
            pieces.point(root, x(ms), y(above), entry.color, { shape, radius: 2.8 });
            targets.push({ x: x(ms), y: y(above), text: `${entry.name}: ${name} ${loadline.ms(ms)}` });
        }
    }
    function spec(entries, chosen, height) {
        const { x, y } = axes(entries.map(entry => entry.curve));
        return {
            height, x, y, beside: BESIDE_PX,
            paint(root, places) {
                const targets = [];
                const taken = [];
                drawGuides(root, places, y.from);
                for (const entry of [...entries].sort((a, b) => (a === chosen) - (b === chosen))) {
                    const layer = loadline.svg('g', { class: chosen && entry !== chosen ? 'drawn-faint' : null });
                    root.append(layer);
                    drawCurve(layer, places, entry, targets, taken);
                }
                return targets;
            },
        };
    }

    /* From few streams to many, so that neighbours in the list are neighbours in the chart. */
    const byStreams = (result, latency, indices) => [...indices].sort((a, b) =>
        (result.groups[latency[a].group]?.streams ?? 0) - (result.groups[latency[b].group]?.streams ?? 0) || a - b);

    /* One phase is one kind of dashes, so that pairs of colours show pairs of phases. */
    function entriesOf(result, latency, chosen) {
        const indices = byStreams(result, latency, chosen);
        const phases = [...new Set(indices.map(index => result.groups[latency[index].group]?.phase))];
        const places = [];
        const names = groupNames(result, indices.map(index => latency[index].group));
        return indices.map((index, k) => {
            const curve = latency[index];
            const group = result.groups[curve.group] || {};
            const place = JSON.stringify([group.part, group.factors]);
            if (!places.includes(place))
                places.push(place);
            const at = places.indexOf(place);
            const again = phases.length * Math.floor(at / COLORS); /* the colours began anew */
            return { index, curve, name: names[k], number: String(k + 1), color: `s${at % COLORS}`, kind: 'line',
                dash: loadline.dash(phases.length > 1 ? phases.indexOf(group.phase) + again : at) };
        });
    }
    function numbers({ curve, name }) {
        const known = QUANTILES.map(q => ({ ...q, ms: quantile(curve, q.above) })).filter(q => isKnown(q.ms));
        return `${name}: ${known.map(q => `${q.name} ${loadline.ms(q.ms)}`).join(', ') || '-'}`;
    }
    const table = (result, latency) => () => ({
        columns: [{ name: 'group' }, { name: 'transactions' }, { name: 'p50', unit: 'ms' },
            { name: 'p99', unit: 'ms' }, { name: 'p99.9', unit: 'ms' }, { name: 'max', unit: 'ms' }],
        rows: latency.map(curve => [groupText(result, curve.group), curve.count,
            ...QUANTILES.map(q => quantile(curve, q.above)), curve.points[curve.points.length - 1]?.[0] ?? NaN]),
    });

    function add(result, section) {
        const latency = (result.latency || []).filter(curve =>
            curve.kind === 'transaction' && drawable(curve.points || []).length > 1);
        if (latency.length === 0)
            return;
        const chosen = chosenCurves(latency, result.groups);
        const panel = loadline.panel(section, { id: 'latency', title: 'Latency of transactions',
            note: 'The further left a curve falls, the better. Marks: p50, p99, p99.9 where there are enough samples.',
            table: table(result, latency) });
        const usual = entriesOf(result, latency, chosen);
        const numbered = entry => latency.length < 2 ? entry : { ...entry, name: `${entry.number} ${entry.name}` };
        const show = at => {
            const more = at >= 0 && !chosen.includes(at) ? [...chosen, at] : chosen;
            const entries = entriesOf(result, latency, more);
            chart.redraw(spec(entries, entries.find(entry => entry.index === at)));
            legend.replaceChildren(loadline.legend(entries.map(numbered), 0).node);
        };
        const chart = loadline.frame(panel.plot, spec(usual, null));
        const legend = loadline.el('div', {}, loadline.legend(usual.map(numbered), 0).node);
        panel.figure.append(legend);
        panel.describe(usual.map(numbers).join('; '));
        choose(panel, 'Highlight', ['none', ...groupNames(result, latency.map(curve => curve.group))], 0,
            index => show(index - 1));
    }

    loadline.latency = { quantile, chosenCurves, drawable };
    loadline.charts.push({ name: 'latency', add });
})(globalThis.loadline);
