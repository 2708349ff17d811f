/* What the charts of the analysis compute before they draw. */
import assert from 'node:assert';
import test from 'node:test';
import { near, openScripts, plain } from './analysis-open.mjs';

const loadline = openScripts();
const { latency, cost, scaling, layouts, fairness, steady, waits } = loadline;

test('a percentile needs 10/(1-q) samples', () => {
    const points = [[1, 0.9], [2, 0.5], [3, 0.01], [4, 0.001], [5, 0]];
    assert.strictEqual(latency.quantile({ count: 20, points }, 0.5), 2);
    assert.strictEqual(latency.quantile({ count: 1000, points }, 0.01), 3);
    assert.ok(Number.isNaN(latency.quantile({ count: 999, points }, 0.01)));
    assert.ok(Number.isNaN(latency.quantile({ count: 9999, points }, 0.001)));
    assert.strictEqual(latency.quantile({ count: 10000, points }, 0.001), 4);
});
test('what a logarithm cannot show is left out of a curve', () => {
    assert.deepStrictEqual(plain(latency.drawable([[0, 1], [1, 0.5], [2, 1e-7], [3, 0]])), [[1, 0.5]]);
});
test('of many curves twelve of the first phase are shown', () => {
    const groups = Array.from({ length: 60 }, (_, k) => ({ phase: k < 30 ? 'insert' : 'delete' }));
    const all = groups.map((_, group) => ({ group }));
    const chosen = plain(latency.chosenCurves(all, groups));
    assert.strictEqual(chosen.length, 12);
    assert.ok(chosen.every(index => index < 30));
    assert.deepStrictEqual(plain(latency.chosenCurves(all.slice(0, 3), groups)), [0, 1, 2]);
});

test('intervals of a group are rates; unknown ones are left out', () => {
    const result = {
        phases: [{ group: 1, first: 0, count: 3 }, { group: 0, first: 3, count: 1 }],
        timeline: { columns: { seconds: [0.1, 0.1, 0.2, 0.1], commits: [10, NaN, 40, 7],
            writes: [20, 20, 90, 1], flushes: [10, 10, 40, 1] } } };
    const counter = { take: ({ writes, flushes }, i) => writes[i] + flushes[i] };
    const points = plain(cost.pointsOf(result, 1, counter));
    assert.strictEqual(points.length, 2);
    assert.ok(near(points[0][0], 100) && near(points[0][1], 300));
    assert.ok(near(points[1][0], 200) && near(points[1][1], 650));
});
test('the fitted line passes through the median of what it leaves', () => {
    const points = [1, 2, 3, 4, 100].map((x, k) => [x, 2 * x + 5 + (k === 4 ? 1000 : 0)]);
    assert.strictEqual(cost.intercept(points, 2), 5);
});
test('the fitted line ends at the frame', () => {
    const ends = plain(cost.clipped({ from: 0, to: 10 }, { from: 0, to: 10 }, 2, 2));
    assert.deepStrictEqual(ends, [[0, 2], [4, 10]]);
    assert.deepStrictEqual(plain(cost.clipped({ from: 0, to: 10 }, { from: 0, to: 10 }, 3, 0)), [[0, 3], [10, 3]]);
});

test('the scalability law: linear, bounded by contention, falling by coherency', () => {
    const law = (alpha, beta) => ({ gamma: { value: 1000 }, alpha: { value: alpha }, beta: { value: beta } });
    assert.ok(near(scaling.uslRate(law(0, 0), 8), 8000));
    assert.ok(near(scaling.uslRate(law(0.1, 0), 10), 10000 / 1.9));
    assert.ok(near(scaling.uslRate(law(0, 0.01), 10), 10000 / 1.9));
    assert.ok(near(scaling.uslRate({ gamma: 1000, alpha: 0.5, beta: 0 }, 1), 1000));
    const peak = Math.sqrt((1 - 0.1) / 0.001);
    assert.ok(scaling.uslRate(law(0.1, 0.001), peak) > scaling.uslRate(law(0.1, 0.001), peak + 2));
    assert.ok(scaling.uslRate(law(0.1, 0.001), peak) > scaling.uslRate(law(0.1, 0.001), peak - 2));
});
test('its curve runs from the fewest to the most streams', () => {
    for (const log of [false, true]) {
        const curve = plain(scaling.uslCurve({ gamma: 100, alpha: 0, beta: 0 }, 1, 64, log));
        assert.ok(near(curve[0][0], 1) && near(curve[curve.length - 1][0], 64));
        assert.ok(curve.every(([streams, rate]) => near(rate, 100 * streams)));
    }
});
test('streams over a wide range stand on a logarithmic axis', () => {
    assert.strictEqual(scaling.xAxis([{ streams: 1 }, { streams: 40 }]).log, false);
    assert.strictEqual(scaling.xAxis([{ streams: 1 }, { streams: 40 }]).from, 0);
    assert.strictEqual(scaling.xAxis([{ streams: 1 }, { streams: 1000 }]).log, true);
});

test('bars stand below a heading for each number of streams', () => {
    const rows = plain(layouts.ordered([
        { streams: 16, layout: 'shared-table' }, { streams: 1, layout: 'shared-table' },
        { streams: 16, layout: 'file-per-stream' }, { streams: 1, layout: 'file-per-stream' }]));
    assert.deepStrictEqual(rows.map(row => `${row.streams} ${row.layout}`),
        ['1 shared-table', '1 file-per-stream', '16 shared-table', '16 file-per-stream']);
    const { items, height } = layouts.layOut(rows);
    assert.deepStrictEqual(plain(items).map(item => item.streams ?? 'row'), [1, 'row', 'row', 16, 'row', 'row']);
    const tops = [...items].map(item => item.y);
    assert.ok(tops.every((y, k) => k === 0 || y > tops[k - 1]) && height > tops[tops.length - 1]);
});

test('the least fair group is shown first', () => {
    assert.strictEqual(fairness.worst([{ jain: 1 }, { jain: 0.7 }, { jain: 0.9 }]), 1);
    assert.strictEqual(fairness.worst([{ jain: null }, { jain: 0.9 }]), 1);
    assert.deepStrictEqual(plain(fairness.sorted([3, null, 9, 5])), [9, 5, 3]);
});
test('ticks of streams are whole and begin at 1', () => {
    assert.deepStrictEqual(plain(fairness.streamTicks(4)), [1, 2, 3, 4]);
    const many = plain(fairness.streamTicks(1000));
    assert.strictEqual(many[0], 1);
    assert.ok(many.length <= 12 && many.every(Number.isInteger));
});

test('the fitted line of a window passes its average in the middle', () => {
    const judged = { average: 4000, slope: -10 };
    assert.deepStrictEqual([0, 2, 4].map(k => steady.fitted(judged, k, 5)), [4020, 4000, 3980]);
});
test('a window holds the rounds from its first to its last', () => {
    const rounds = [0, 1, 2, 3, 4, 5, 6].map(round => ({ round }));
    const found = steady.windowOf({ rounds, window: { first: 1, last: 5, metrics: {} } });
    assert.deepStrictEqual(plain(found.rounds).map(({ round }) => round), [1, 2, 3, 4, 5]);
    assert.strictEqual(steady.windowOf({ rounds, window: null }), null);
});
test('rounds that were not judged and those after the pause look different', () => {
    const kinds = [{ judged: true, after_pause: false }, { judged: false, after_pause: false },
        { judged: false, after_pause: true }].map(round => JSON.stringify(steady.kindOf(round)));
    assert.strictEqual(new Set(kinds).size, 3);
});

test('shares are stacked; what is not known takes no room', () => {
    assert.deepStrictEqual(plain(waits.stack([0.25, null, 0.5])), [[0, 0.25], [0.25, 0.25], [0.25, 0.75]]);
});
test('areas do not bridge a hole in time', () => {
    const columns = [[0, 1, []], [1, 2, []], [10, 11, []], [11, 12, []]];
    assert.deepStrictEqual(plain(waits.stretches(columns)).map(list => list.length), [2, 2]);
});
test('kinds of waits that were hardly seen are left out', () => {
    assert.deepStrictEqual(plain(waits.noticed(['cpu', 'flush', 'row'], [[0.9, 0.001, 0], [0.5, 0.004, 0.4]])), [0, 2]);
});
test('groups with too few intervals have no cloud of points', () => {
    const result = { groups: [{}, {}, {}], phases: [{ group: 2, first: 0, count: 5 }, { group: 0, first: 5, count: 7 },
        { group: 2, first: 12, count: 4 }], timeline: { columns: { commits: new Array(16).fill(1) } } };
    assert.deepStrictEqual(plain(cost.sampledGroups(result)), [2]);
    result.timeline.columns.commits[0] = result.timeline.columns.commits[1] = NaN;
    assert.deepStrictEqual(plain(cost.sampledGroups(result)), []);
});
