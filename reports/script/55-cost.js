'use strict';
/* What one more commit costs the drive: commits/s against the drive's own counters, interval by
 * interval, with the line that the analysis fitted. */
(loadline => {
    const { isKnown, isOf, groupText, groupNames, choose, median, pick } = loadline.find;
    const MOST_POINTS = 1500;
    const LEAST_POINTS = 8;
    /* `against`: the slope's name in the analysis, which counts every request, flushes too. */
    const COUNTERS = [
        { against: 'writes', name: 'device writes', label: 'device writes/s, flushes included', color: 'writes',
            take: ({ writes, flushes }, i) => writes ? writes[i] + (flushes ? flushes[i] : 0) : NaN,
            unit: ' writes in all', format: value => loadline.number(value) },
        { against: 'flushes', name: 'flushes', label: 'flushes/s', color: 'flushes',
            take: ({ flushes }, i) => flushes ? flushes[i] : NaN, unit: ' flushes',
            format: value => loadline.number(value) },
        { against: 'bytes', name: 'bytes', label: 'MB/s', color: 'bytes', scale: 1e-6,
            take: ({ bytes }, i) => bytes ? bytes[i] : NaN, unit: '', format: value => loadline.bytes(value) },
    ];

    /* [commits/s, counted/s] of the intervals of a group. */
    function pointsOf(result, group, { take, scale = 1 }) {
        const { columns } = result.timeline;
        const points = [];
        for (const phase of result.phases.filter(one => one.group === group))
            for (let i = phase.first; i < phase.first + phase.count; i++) {
                const seconds = columns.seconds ? columns.seconds[i] : NaN;
                const x = columns.commits[i] / seconds;
                const y = take(columns, i) * scale / seconds;
                if (seconds > 0 && isKnown(x) && isKnown(y))
                    points.push([x, y]);
            }
        return points;
    }
    /* Those with enough intervals; counted in one pass, since there may be thousands of groups. */
    function sampledGroups(result) {
        const { commits } = result.timeline.columns;
        const counts = result.groups.map(() => 0);
        for (const { group, first, count } of result.phases)
            for (let i = first; i < first + count; i++)
                counts[group] += isKnown(commits[i]) ? 1 : 0;
        return counts.map((_, index) => index).filter(index => counts[index] >= LEAST_POINTS);
    }
    /* The analysis gives the slope; the line goes through the median of what it leaves. */
    const intercept = (points, slope) => median(points.map(([x, y]) => y - slope * x));

    function slopeOf(result, group, { against }) {
        const finding = loadline.find.findings(result, 'correlation')
            .find(one => isOf(one, result.groups[group]));
        const slope = finding?.against?.[against];
        return slope && isKnown(slope.slope) ? slope : null;
    }
    /* As the report says it. */
    function sayings(slope, counter) {
        if (!slope)
            return ['no line: the rates vary too little, or there are too few intervals'];
        const { format, unit } = counter;
        const range = isKnown(slope.low) && isKnown(slope.high)
            ? ` (${format(slope.low)}-${format(slope.high)})` : '';
        return [`one more commit costs ${format(slope.slope)}${unit}${range}`,
            `r ${slope.r?.toFixed(2) ?? '-'}, ${slope.n ?? '-'} intervals`];
    }

    function rangeOf(values) {
        const low = Math.min(...values);
        const high = Math.max(...values);
        const room = (high - low || high || 1) * 0.06;
        return { from: Math.max(0, low - room), to: high + room };
    }
    function spec(points, slope, counter) {
        const x = { label: 'commits/s', ...rangeOf(points.map(point => point[0])) };
        const y = { label: counter.label, ...rangeOf(points.map(point => point[1])) };
        const shown = pick(points.length, MOST_POINTS).map(index => points[index]);
        const scaled = slope && slope.slope * (counter.scale ?? 1);
        const base = slope && intercept(points, scaled);
        return { x, y, paint(root, places) {
            if (slope) {
                const ends = clipped(x, y, base, scaled);
                loadline.pieces.line(root, ends.map(([a, b]) => [places.x(a), places.y(b)]), 'ink',
                    { 'stroke-dasharray': '6 3' });
            }
            for (const [px, py] of shown) {
                const node = loadline.svg('circle', { cx: places.x(px).toFixed(1), cy: places.y(py).toFixed(1),
                    r: 2.6, class: 'drawn-dot' });
                root.append(loadline.pieces.paint(node, { fill: counter.color }));
            }
            return shown.map(([px, py]) => ({ x: places.x(px), y: places.y(py),
                text: `${loadline.number(px)} commits/s, ${loadline.number(py)} ${loadline.t(counter.label)}` }));
        } };
    }
    /* The ends of the line base + slope x inside the frame. */
    function clipped(x, y, base, slope) {
        const at = value => base + slope * value;
        const inside = value => Math.min(x.to, Math.max(x.from, value));
        if (slope === 0)
            return [[x.from, base], [x.to, base]];
        const ends = [(y.from - base) / slope, (y.to - base) / slope].sort((a, b) => a - b).map(inside);
        return ends.map(end => [end, at(end)]);
    }

    function add(result, section) {
        if (!result.timeline?.columns.commits)
            return;
        const groups = sampledGroups(result);
        const counters = COUNTERS.filter(counter => groups.length > 0
            && pointsOf(result, groups[0], counter).length >= LEAST_POINTS);
        if (counters.length === 0)
            return;
        const state = { group: groups[0], counter: counters[0] };
        const panel = loadline.panel(section, { id: 'cost', title: 'What a commit costs the drive',
            note: 'Each point is one interval; the line is the fitted cost of one more commit.',
            table: () => ({ columns: [{ name: 'commits', unit: '1/s' }, { name: state.counter.label }],
                rows: pointsOf(result, state.group, state.counter) }) });
        const now = () => {
            const slope = slopeOf(result, state.group, state.counter);
            const words = sayings(slope, state.counter).map(loadline.t);
            panel.describe(`${groupText(result, state.group)}: ${words.join('; ')}`);
            loadline.find.say(says, words, groups.length > 1 && groupText(result, state.group));
            const points = pointsOf(result, state.group, state.counter);
            return points.length ? spec(points, slope, state.counter) : spec([[0, 0]], null, state.counter);
        };
        const says = loadline.find.saying(panel);
        const chart = loadline.frame(panel.plot, now());
        const change = to => chart.redraw((Object.assign(state, to), now()));
        choose(panel, 'Group', groupNames(result, groups), 0,
            index => change({ group: groups[index] }));
        choose(panel, 'Against', counters.map(counter => counter.name), 0,
            index => change({ counter: counters[index] }));
    }

    loadline.cost = { pointsOf, sampledGroups, intercept, clipped };
    loadline.charts.push({ name: 'cost', add });
})(globalThis.loadline);
