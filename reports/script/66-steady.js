'use strict';
/* Did the drive settle? Rounds with the window of the steady-state rule (SNIA PTS 2.0.2): all values
 * within 20% of their average, and the fitted line within 10%. */
(loadline => {
    const { isKnown, findings, placeText, choose } = loadline.find;
    const LEAST_ROUNDS = 3;
    const RANGE = 0.1; /* of the average, up and down */
    const TREND = 0.05;
    const METRICS = [
        { name: 'commits_per_s', label: 'commits/s', color: 'commits' },
        { name: 'p99_ms', label: 'p99, ms', color: 'p99' },
    ];
    const AXES = [
        { name: 'rounds', label: 'round', of: round => round.round + 1, format: value => String(value) },
        { name: 'GB', label: 'GB written since the start of the trial', of: round => round.bytes_total / 1e9 },
    ];

    /* The fitted line at the k-th of `count` rounds: it goes through the average in the middle. */
    const fitted = ({ average, slope }, k, count) => average + slope * (k - (count - 1) / 2);
    /* Of the window: its rounds, and for each metric the line from its first to its last. */
    function windowOf(finding) {
        if (!finding.window)
            return null;
        const { first, last, metrics } = finding.window;
        const rounds = finding.rounds.filter(({ round }) => round >= first && round <= last);
        return rounds.length > 1 ? { rounds, metrics } : null;
    }
    function kindOf(round) {
        if (round.after_pause)
            return { shape: 'diamond', open: true, text: 'after the pause' };
        return round.judged ? { shape: 'circle', open: false, text: '' }
            : { shape: 'circle', open: true, text: 'not judged' };
    }

    function drawWindow(root, { x, y, area }, { rounds, metrics }, { name, color }, axis) {
        const { pieces } = loadline;
        const judged = metrics?.[name];
        if (!isKnown(judged?.average))
            return;
        const { average } = judged;
        const left = x(axis.of(rounds[0]));
        const right = x(axis.of(rounds[rounds.length - 1]));
        const top = Math.max(area.top, y(average * (1 + RANGE)));
        pieces.rect(root, left - 6, top, right - left + 12, y(average * (1 - RANGE)) - top, color,
            { class: 'drawn-band' });
        for (const share of [-TREND, TREND])
            pieces.line(root, [[left - 6, y(average * (1 + share))], [right + 6, y(average * (1 + share))]], color,
                { 'stroke-dasharray': '1 3', class: 'drawn-guide' });
        pieces.line(root, [[left - 6, y(average)], [right + 6, y(average)]], color,
            { 'stroke-dasharray': '8 3', class: 'drawn-guide' });
        if (isKnown(judged.slope))
            pieces.line(root, [[left, y(fitted(judged, 0, rounds.length))],
                [right, y(fitted(judged, rounds.length - 1, rounds.length))]], 'ink');
        const word = judged.holds ? 'holds' : 'does not hold';
        pieces.text(root, area.right, area.top - 10, loadline.t(`window: ${word}`),
            { class: 'drawn-text drawn-note', 'text-anchor': 'end' });
    }
    function spec(finding, kind, axis) {
        const rounds = finding.rounds.filter(round => isKnown(round[kind.name]) && isKnown(axis.of(round)));
        const places = rounds.map(axis.of);
        const space = (Math.max(...places) - Math.min(...places)) * 0.05 || 1;
        const judgedWindow = windowOf(finding);
        return {
            height: 240,
            x: { label: axis.label, from: Math.min(...places) - space, to: Math.max(...places) + space,
                format: axis.format, ticks: axis.format && places.length <= 12 ? places : undefined },
            y: { label: kind.label, from: 0, round: true,
                to: 1.12 * Math.max(...rounds.map(round => round[kind.name])) },
            paint(root, at) {
                const { pieces } = loadline;
                if (judgedWindow)
                    drawWindow(root, at, judgedWindow, kind, axis);
                const judged = rounds.filter(round => !round.after_pause);
                pieces.line(root, judged.map(round => [at.x(axis.of(round)), at.y(round[kind.name])]), kind.color,
                    { class: 'drawn-line drawn-thin' });
                return rounds.map(round => {
                    const { text, ...look } = kindOf(round);
                    const [x, y] = [at.x(axis.of(round)), at.y(round[kind.name])];
                    pieces.point(root, x, y, kind.color, look);
                    return { x, y, text: `${loadline.t(`round ${round.round + 1}`)}, `
                        + `${loadline.bytes(round.bytes_total)}: ${loadline.number(round[kind.name])} `
                        + loadline.t(kind.label) + (text && `, ${loadline.t(text)}`) };
                });
            },
        };
    }

    function legendOf(finding) {
        const { el, svg } = loadline;
        const swatch = draw => {
            const picture = svg('svg', { width: 24, height: 12, viewBox: '0 0 24 12', 'aria-hidden': 'true' });
            draw(picture);
            return picture;
        };
        const { pieces } = loadline;
        const entries = [
            ['round', node => pieces.point(node, 12, 6, 'commits')],
            finding.rounds.some(round => !round.judged && !round.after_pause)
                && ['not judged', node => pieces.point(node, 12, 6, 'commits', { open: true })],
            finding.rounds.some(round => round.after_pause)
                && ['after the pause', node => pieces.point(node, 12, 6, 'commits', { shape: 'diamond', open: true })],
            windowOf(finding) && ['window: average \u00b110%', node => {
                pieces.rect(node, 0, 0, 24, 12, 'commits', { class: 'drawn-band' });
                pieces.line(node, [[0, 6], [24, 6]], 'commits', { 'stroke-dasharray': '8 3', class: 'drawn-guide' });
            }],
            windowOf(finding) && ['limits of the trend, \u00b15%', node => pieces.line(node, [[0, 6], [24, 6]],
                'commits', { 'stroke-dasharray': '1 3', class: 'drawn-guide' })],
            windowOf(finding) && ['fitted line',
                node => pieces.line(node, [[0, 6], [24, 6]], 'ink')],
        ].filter(Boolean);
        return el('div', { class: 'legend' }, entries.map(([name, draw]) =>
            el('span', { class: 'entry' }, swatch(draw), el('span', {}, loadline.t(name)))));
    }

    function add(result, section) {
        const all = findings(result, 'steady').filter(finding => (finding.rounds || []).length >= LEAST_ROUNDS);
        if (all.length === 0)
            return;
        const state = { finding: all[0], axis: AXES[0] };
        const panel = loadline.panel(section, { id: 'steady', title: 'Steady state',
            note: 'In the window all rounds must lie within 20% of their average, and the fitted line within 10%.',
            table: () => ({ columns: [{ name: 'round' }, { name: 'GB written' }, { name: 'commits/s' },
                { name: 'p99', unit: 'ms' }, { name: 'judged' }, { name: 'holds' }],
            rows: state.finding.rounds.map(round => [round.round + 1, round.bytes_total / 1e9, round.commits_per_s,
                round.p99_ms, loadline.t(round.judged ? 'yes' : kindOf(round).text),
                round.holds === null ? '-' : loadline.t(round.holds ? 'yes' : 'no')]) }) });
        panel.figure.classList.add('wide');
        const places = METRICS.map(() => loadline.el('div', {}));
        panel.plot.append(loadline.el('div', { class: 'drawn-pair' }, places));
        const legend = loadline.el('div', {});
        panel.figure.append(legend);
        const says = loadline.find.saying(panel);
        const names = loadline.find.namesOf(all);
        const charts = METRICS.map(() => null);
        const show = to => {
            Object.assign(state, to);
            const { finding, axis } = state;
            METRICS.forEach((kind, index) => {
                const any = finding.rounds.some(round => isKnown(round[kind.name]) && isKnown(axis.of(round)));
                places[index].hidden = !any;
                if (any && charts[index])
                    charts[index].redraw(spec(finding, kind, axis));
                else if (any)
                    charts[index] = loadline.frame(places[index], spec(finding, kind, axis));
            });
            const lines = loadline.find.sentences(finding);
            legend.replaceChildren(legendOf(finding));
            loadline.find.say(says, lines, names.length > 1 && names[all.indexOf(finding)]);
            panel.describe(`${loadline.t(placeText(finding))}: ${lines.join('; ')}`);
        };
        choose(panel, 'Over', AXES.map(axis => axis.name), 0, index => show({ axis: AXES[index] }));
        choose(panel, 'Show', names, 0, index => show({ finding: all[index] }));
        show({});
    }

    loadline.steady = { fitted, windowOf, kindOf };
    loadline.charts.push({ name: 'steady', add });
})(globalThis.loadline);
