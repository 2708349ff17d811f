/* The matrix of two factors, and the forest of a comparison. */
import assert from 'node:assert';
import test from 'node:test';
import { near, openScripts, plain } from './analysis-open.mjs';

const { matrix, forest } = openScripts();
const group = (factors, more = {}) => ({ phase: 'insert', part: null, factors, ...more });

test('what varies is found, numbers by size, names in the order of the plan', () => {
    const groups = [[16, 'wal'], [4, 'wal'], [16, 'delete'], [4, 'delete']].map(([streams, mode]) =>
        group({ streams, 'sqlite.journal_mode': mode, 'sqlite.page_size': 4096 }));
    assert.deepStrictEqual(plain(matrix.varying(groups)), [
        { name: 'streams', values: [4, 16] }, { name: 'sqlite.journal_mode', values: ['wal', 'delete'] }]);
    assert.strictEqual(matrix.find(groups, { streams: 16, 'sqlite.journal_mode': 'delete' }), 2);
    assert.strictEqual(matrix.find(groups, { streams: 99, 'sqlite.journal_mode': 'delete' }), -1);
});
test('a value that most groups have is what is fixed first', () => {
    const groups = [1, 10, 10, 20].map(streams => group({ streams }));
    assert.strictEqual(matrix.commonest(groups, { name: 'streams', values: [1, 10, 20] }), 1);
});
test('the two with the most values stand against each other, not the phase', () => {
    const factors = [{ name: 'phase', values: [1, 2, 3, 4] }, { name: 'a', values: [1, 2] },
        { name: 'b', values: [1, 2, 3] }, { name: 'c', values: [1, 2] }];
    assert.deepStrictEqual(plain(matrix.firstTwo(factors)), { down: 1, across: 2 });
});
test('every shade has legible text, on light and on dark paper', () => {
    for (const dark of [false, true])
        for (let k = 0; k <= 100; k++) {
            const { ground, ink, contrast } = matrix.shade(k / 100, dark);
            assert.ok(contrast >= 4.5, `${k}% ${dark ? 'dark' : 'light'}: ${ground} ${ink} ${contrast}`);
        }
});
test('shades run one way', () => {
    const lightness = (share, dark) => matrix.contrast(matrix.shade(share, dark).ground, [0, 0, 0]);
    for (let k = 1; k <= 20; k++) {
        assert.ok(lightness(k / 20, false) < lightness((k - 1) / 20, false));
        assert.ok(lightness(k / 20, true) > lightness((k - 1) / 20, true));
    }
});
test('contrast is that of WCAG', () => {
    assert.ok(near(matrix.contrast([0, 0, 0], [255, 255, 255]), 21));
    assert.ok(near(matrix.contrast([118, 118, 118], [255, 255, 255]), 4.54, 0.01));
});

test('the axis of a forest holds 1 and all intervals, in logarithms', () => {
    const axis = forest.axisOf([{ ratio: 2, low: 1.5, high: 4 }]);
    assert.ok(axis.low < 1 && axis.high > 4);
    assert.ok(axis.ticks.includes(1));
    assert.ok(near(axis.at(2) - axis.at(1), axis.at(4) - axis.at(2)));
    assert.ok(axis.at(axis.low) === 0 && near(axis.at(axis.high), 1));
});
test('a narrow axis shows 10% on both sides, a wide one ends at 100', () => {
    const narrow = forest.axisOf([{ ratio: 1, low: 1, high: 1 }]);
    assert.ok(narrow.low <= 1 / 1.1 && narrow.high >= 1.1);
    const wide = forest.axisOf([{ ratio: 1e6, low: 1e5, high: null }, { ratio: 1e-6, low: 0, high: null }]);
    assert.ok(wide.high < 200 && wide.low > 1 / 200);
    assert.strictEqual(wide.at(1e6), 1);
    assert.strictEqual(wide.at(1e-6), 0);
});
test('labels of its ticks stand apart, on a telephone further', () => {
    for (const high of [1.05, 1.5, 4, 20, 1000]) {
        const axis = forest.axisOf([{ ratio: high, low: 1 / high, high }]);
        for (const [ticks, room] of [[axis.ticks, 0.13], [axis.narrow, 0.34]]) {
            assert.ok(ticks.includes(1));
            for (let k = 1; k < ticks.length; k++)
                assert.ok(axis.at(ticks[k]) - axis.at(ticks[k - 1]) >= room - 1e-9);
        }
    }
});
test('a verdict names the drive, and why nothing is told', () => {
    assert.strictEqual(forest.verdictText({ drive: 'B', verdict: 'better', because: null }), 'B better');
    assert.strictEqual(forest.verdictText({ drive: 'B', verdict: 'same', because: null }), 'same');
    assert.strictEqual(forest.verdictText({ drive: 'C', verdict: 'undetermined', because: 'too few runs' }),
        'undetermined (too few runs)');
});
test('rows are those of all metrics and drives; a group is named by what it is', () => {
    const one = { phase: 'insert', part: 'bulk', streams: 10, rows_per_commit: 1000, factors: { streams: 10 },
        metrics: [{ name: 'commits/s', ratios: [{ drive: 'B' }, { drive: 'C' }] },
            { name: 'p99', ratios: [{ drive: 'B' }] }] };
    assert.strictEqual(forest.rowsOf(one).length, 3);
    assert.strictEqual(forest.groupName(one), 'insert (bulk), 10 streams, 1000 rows/commit');
});
