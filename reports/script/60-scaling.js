'use strict';
/* How the rate and the tail of latency grow with the number of streams: where more stops paying. */
(loadline => {
    const { isKnown, findings, matching, groupOf, metric, placeText, choose } = loadline.find;
    const CURVE_STEPS = 80;
    const LOG_FROM = 60; /* times the fewest streams: less is readable on an even axis */

    /* Universal scalability law: what N streams carry. */
    const uslRate = ({ gamma, alpha, beta }, streams) => {
        const value = part => isKnown(part) ? part : part?.value;
        return value(gamma) * streams
            / (1 + value(alpha) * (streams - 1) + value(beta) * streams * (streams - 1));
    };
    function uslCurve(usl, from, to, log) {
        return Array.from({ length: CURVE_STEPS + 1 }, (_, k) => {
            const share = k / CURVE_STEPS;
            const streams = log ? from * (to / from) ** share : from + share * (to - from);
            return [streams, uslRate(usl, streams)];
        });
    }

    function pointsOf(result, finding, name, own) {
        return finding.points.map(point => {
            const [, low, high] = metric(result, groupOf(result, finding, { streams: point.streams }), name);
            return { streams: point.streams, value: point[own], low, high, repeats: point.repeats };
        }).filter(point => isKnown(point.value));
    }
    function xAxis(points) {
        const streams = points.map(point => point.streams);
        const least = Math.min(...streams);
        const most = Math.max(...streams);
        const log = most / least > LOG_FROM;
        return { label: 'streams', log, from: log ? least / 1.15 : 0, to: log ? most * 1.15 : most * 1.04,
            ticks: streams.length <= 8 ? streams : undefined, format: value => String(value) };
    }
    const yAxis = (label, values) => ({ label, from: 0, to: 1.05 * Math.max(...values.filter(isKnown), 1e-9),
    round: true });

    /* ---- drawing ---- */

    function drawCeiling(root, { area, y }, ceiling) {
        if (!isKnown(ceiling?.value))
            return;
        const { pieces } = loadline;
        if (isKnown(ceiling.low) && isKnown(ceiling.high))
            pieces.rect(root, area.left, y(ceiling.high), area.right - area.left, y(ceiling.low) - y(ceiling.high),
                'muted', { class: 'drawn-band' });
        pieces.line(root, [[area.left, y(ceiling.value)], [area.right, y(ceiling.value)]], 'muted',
            { 'stroke-dasharray': '8 4', class: 'drawn-guide' });
        const word = loadline.t(ceiling.reached ? 'ceiling' : 'highest so far');
        pieces.text(root, area.right, y(isKnown(ceiling.high) ? ceiling.high : ceiling.value) - 5,
            `${word} ${loadline.number(ceiling.value)}/s`,
            { 'text-anchor': 'end', class: 'drawn-text drawn-note' });
    }
    function drawKnee(root, { area, x }, knee) {
        if (!knee)
            return;
        const at = x(knee.streams);
        loadline.pieces.line(root, [[at, area.top], [at, area.bottom]], 'ink',
            { 'stroke-dasharray': '2 3', class: 'drawn-guide' });
        loadline.pieces.note(root, area, at, area.bottom - 8,
            loadline.t(knee.streams === 1 ? 'knee at 1 stream' : `knee at ${knee.streams} streams`));
    }
    function drawPoints(root, { x, y }, points, { color, shape, joined, unit }) {
        const { pieces } = loadline;
        if (joined)
            pieces.line(root, points.map(p => [x(p.streams), y(p.value)]), color);
        for (const p of points) {
            if (isKnown(p.low) && isKnown(p.high) && p.low < p.high)
                pieces.whisker(root, x(p.streams), y(p.low), y(p.high), color);
            pieces.point(root, x(p.streams), y(p.value), color, { shape });
        }
        return points.map(p => {
            const range = p.low < p.high ? ` (${loadline.find.interval(p.low, p.high)})` : '';
            return { x: x(p.streams), y: y(p.value),
                text: loadline.t(`${p.streams} streams: ${loadline.number(p.value)}${range} ${unit}`) };
        });
    }

    function rateSpec(result, finding) {
        const name = finding.rate || 'commits_per_s';
        const unit = name === 'rows_per_s' ? 'rows/s' : 'commits/s';
        const points = pointsOf(result, finding, name, name);
        const ceiling = matching(result, 'ceiling', finding)?.[name];
        const x = xAxis(points);
        const first = Math.min(...points.map(p => p.streams));
        const curve = finding.usl ? uslCurve(finding.usl, first, x.to, x.log) : [];
        const tops = [...points.flatMap(p => [p.value, p.high]), ceiling?.value, ceiling?.high,
            ...curve.map(([, rate]) => rate)];
        return { x, y: yAxis(unit, tops), paint(root, places) {
            drawCeiling(root, places, ceiling);
            drawKnee(root, places, finding.knee);
            if (curve.length)
                loadline.pieces.line(root, curve.map(([a, b]) => [places.x(a), places.y(b)]), 'commits',
                    { 'stroke-dasharray': '6 4' });
            return drawPoints(root, places, points, { color: unit === 'rows/s' ? 'rows' : 'commits',
                shape: 'circle', joined: curve.length === 0, unit });
        } };
    }
    function latencySpec(result, finding) {
        const points = pointsOf(result, finding, 'p99_ms', 'p99_ms');
        if (points.length === 0)
            return null;
        const under = matching(result, 'ceiling', finding)?.under_slo;
        const level = under?.percentile === 'p99' ? under.ms : NaN;
        return { x: xAxis(points), y: yAxis('p99, ms', [...points.flatMap(p => [p.value, p.high]), level]),
            paint(root, places) {
                drawKnee(root, places, finding.knee);
                if (isKnown(level)) {
                    const { area } = places;
                    loadline.pieces.line(root, [[area.left, places.y(level)], [area.right, places.y(level)]],
                        'max', { 'stroke-dasharray': '8 4', class: 'drawn-guide' });
                    loadline.pieces.note(root, area, area.left, places.y(level) - 5,
                        loadline.t(`service level ${loadline.number(level)} ms`));
                }
                return drawPoints(root, places, points,
                    { color: 'p99', shape: 'diamond', joined: true, unit: 'ms' });
            } };
    }

    /* ---- the panel ---- */

    function legendOf(finding) {
        const color = finding.rate === 'rows_per_s' ? 'rows' : 'commits';
        const entries = [{ name: loadline.t('median, low to high over the repeats'), color,
            kind: finding.usl ? 'points' : 'both', shape: 0, dash: null }];
        if (finding.usl)
            entries.push({ name: loadline.t('scalability law, fitted'), color: 'commits', kind: 'line', dash: [6, 4] });
        return loadline.legend(entries, 0).node;
    }
    const table = finding => () => {
        const name = finding().rate || 'commits_per_s';
        return { columns: [{ name: 'streams' }, { name: name === 'rows_per_s' ? 'rows/s' : 'commits/s' },
            { name: 'device writes/s' }, { name: 'flushes/s' }, { name: 'p50', unit: 'ms' },
            { name: 'p99', unit: 'ms' }, { name: 'repeats' }],
        rows: finding().points.map(p => [p.streams, p[name], p.write_iops, p.flushes_per_s, p.p50_ms, p.p99_ms,
            p.repeats]) };
    };
    function add(result, section) {
        const all = findings(result, 'scaling').filter(finding =>
            finding.points.filter(point => isKnown(point[finding.rate || 'commits_per_s'])).length > 1);
        if (all.length === 0)
            return;
        let current = all[0];
        const panel = loadline.panel(section, { id: 'scaling', title: 'More streams',
            table: table(() => current) });
        panel.figure.classList.add('wide');
        const left = loadline.el('div', {});
        const right = loadline.el('div', {});
        const legend = loadline.el('div', {});
        panel.plot.append(loadline.el('div', { class: 'drawn-pair' }, left, right));
        panel.figure.append(legend);
        const says = loadline.find.saying(panel);
        const names = loadline.find.namesOf(all);
        let charts = null;
        const show = finding => {
            current = finding;
            const lines = loadline.find.sentences(finding);
            const specs = [rateSpec(result, finding), latencySpec(result, finding)];
            right.hidden = !specs[1];
            charts = charts || [loadline.frame(left, specs[0]), specs[1] && loadline.frame(right, specs[1])];
            charts.forEach((chart, index) => chart && specs[index] && chart.redraw(specs[index]));
            legend.replaceChildren(legendOf(finding));
            loadline.find.say(says, lines, names.length > 1 && names[all.indexOf(finding)]);
            panel.describe(`${loadline.t(placeText(finding))}: ${lines.join('; ')}`);
        };
        choose(panel, 'Show', names, 0, index => show(all[index]));
        show(current);
    }

    loadline.scaling = { uslRate, uslCurve, xAxis };
    loadline.charts.push({ name: 'scaling', add });
})(globalThis.loadline);
