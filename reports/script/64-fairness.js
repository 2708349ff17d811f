'use strict';
/* Did every stream get its share? The commits of each, with their mean and Jain's index. */
(loadline => {
    const { isKnown, groupText, groupNames, choose } = loadline.find;
    const BARS_MOST_SHARE = 3; /* pixels of a bar: with less room an outline is drawn */

    const sorted = commits => commits.filter(isKnown).sort((a, b) => b - a);
    const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;

    function drawBars(root, { x, y, area }, values) {
        const width = x(1) - x(0);
        values.forEach((value, index) => loadline.pieces.rect(root, x(index + 0.5) + width * 0.1, y(value),
            width * 0.8, area.bottom - y(value), 'commits', { class: 'drawn-bar' }));
    }
    function drawOutline(root, { x, y, area }, values) {
        const corners = values.flatMap((value, index) =>
            [[x(index + 0.5), y(value)], [x(index + 1.5), y(value)]]);
        const shape = [[area.left, area.bottom], ...corners, [area.right, area.bottom]]
            .map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
        root.append(loadline.pieces.paint(loadline.svg('polygon', { points: shape, class: 'drawn-bar' }),
            { fill: 'commits' }));
    }
    function streamTicks(count) {
        const ticks = loadline.ticks.linear(1, count, 8).filter(Number.isInteger);
        return ticks[0] === 1 ? ticks : [1, ...ticks];
    }
    function spec(values, isSorted) {
        const average = mean(values);
        return {
            height: 240,
            x: { label: isSorted ? 'streams, from most to least' : 'stream', from: 0.5, to: values.length + 0.5,
                ticks: streamTicks(values.length), format: value => String(value) },
            y: { label: 'commits', from: 0, to: 1.02 * Math.max(...values, 1), round: true },
            paint(root, places) {
                const wide = (places.x(1) - places.x(0)) >= BARS_MOST_SHARE;
                (wide ? drawBars : drawOutline)(root, places, values);
                const { area, x, y } = places;
                loadline.pieces.line(root, [[area.left, y(average)], [area.right, y(average)]], 'ink',
                    { 'stroke-dasharray': '6 3' });
                loadline.pieces.text(root, area.right, area.top - 6, loadline.t(`mean ${loadline.number(average)}`),
                    { 'text-anchor': 'end', class: 'drawn-text drawn-note' });
                return values.map((value, index) => ({ x: x(index + 1), y: y(value),
                    text: loadline.t(isSorted ? `${loadline.number(value)} commits`
                        : `stream ${index + 1}: ${loadline.number(value)} commits`) }));
            },
        };
    }
    function sayingOf({ commits, jain }) {
        const values = sorted(commits);
        const average = mean(values);
        return `Jain's index ${isKnown(jain) ? jain.toFixed(3) : '-'}, ${values.length} streams: least `
            + `${loadline.number(values[values.length - 1])}, mean ${loadline.number(average)}, most `
            + `${loadline.number(values[0])} commits`;
    }
    /* The one in which the streams differ most is shown first. */
    function worst(all) {
        let index = 0;
        all.forEach(({ jain }, k) => {
            if (isKnown(jain) && (!isKnown(all[index].jain) || jain < all[index].jain))
                index = k;
        });
        return index;
    }

    function add(result, section) {
        const all = (result.fairness || []).filter(({ commits }) => sorted(commits || []).length > 1);
        if (all.length === 0)
            return;
        const state = { entry: all[worst(all)], isSorted: true };
        const values = () => state.isSorted ? sorted(state.entry.commits)
            : state.entry.commits.map(value => isKnown(value) ? value : 0);
        const panel = loadline.panel(section, { id: 'fairness', title: 'Fairness between streams',
            note: 'Commits of each stream up to the moment when the first one had finished; Jain\'s index is 1 where all have the same.',
            table: () => ({ columns: [{ name: 'stream' }, { name: 'commits' }],
                rows: state.entry.commits.map((value, index) => [index + 1, value]) }) });
        const says = loadline.find.saying(panel);
        const now = () => {
            const words = loadline.t(sayingOf(state.entry));
            loadline.find.say(says, [words], all.length > 1 && groupText(result, state.entry.group));
            panel.describe(`${groupText(result, state.entry.group)}: ${words}`);
            return spec(values(), state.isSorted);
        };
        const chart = loadline.frame(panel.plot, now());
        const change = to => chart.redraw((Object.assign(state, to), now()));
        choose(panel, 'Order', ['sorted', 'by stream'], 0, index => change({ isSorted: index === 0 }));
        choose(panel, 'Group', groupNames(result, all.map(({ group }) => group)), worst(all),
            index => change({ entry: all[index] }));
    }

    loadline.fairness = { sorted, worst, streamTicks };
    loadline.charts.push({ name: 'fairness', add });
})(globalThis.loadline);
