/* No more points than pixels, and no peak lost. */
import assert from 'node:assert';
import test from 'node:test';
import { openScript } from './open-script.mjs';

const { decimate } = openScript(['25-decimate.js']);
const ramp = count => Float64Array.from({ length: count }, (_, i) => i);
const whole = count => [{ first: 0, count }];
/* From the other realm of the script into this one. */
const plain = value => JSON.parse(JSON.stringify(value, (_, v) => Number.isNaN(v) ? 'NaN' : v));

test('few samples stay as they are', () => {
    const values = Float64Array.of(5, NaN, 7, 1);
    assert.deepStrictEqual(plain(decimate.rows(ramp(4), [values], whole(4), 0, 3, 100)),
        [[0, 5], [1, 'NaN'], [2, 7], [3, 1]]);
});

test('two points a pixel at most, with the least and the greatest in their order', () => {
    const count = 100000;
    const values = Float64Array.from({ length: count }, (_, i) => Math.sin(i / 5000));
    values[12345] = 99;
    values[67890] = -99;
    const rows = decimate.rows(ramp(count), [values], whole(count), 0, count - 1, 800);
    assert.ok(rows.length <= 2 * 801, String(rows.length));
    assert.strictEqual(Math.max(...rows.map(row => row[1])), 99);
    assert.strictEqual(Math.min(...rows.map(row => row[1])), -99);
    for (let i = 1; i < rows.length; i++)
        assert.ok(rows[i][0] >= rows[i - 1][0]);
    /* The 99 comes early in its pixel, what follows is less. */
    const early = Float64Array.of(9, 1, 2, 3);
    assert.deepStrictEqual(plain(decimate.rows(ramp(4), [early], whole(4), 0, 400, 4)), [[0, 9], [3, 1]]);
    const late = Float64Array.of(1, 2, 3, 9);
    assert.deepStrictEqual(plain(decimate.rows(ramp(4), [late], whole(4), 0, 400, 4)), [[0, 1], [3, 9]]);
});

test('unknown values do not hide known ones', () => {
    const values = Float64Array.of(NaN, 4, NaN, NaN);
    assert.deepStrictEqual(plain(decimate.rows(ramp(4), [values, values.map(() => NaN)], whole(4), 0, 400, 4)),
        [[0, 4, 'NaN'], [3, 4, 'NaN']]);
});

test('zooming in shows the true samples, and one beyond each edge', () => {
    const values = ramp(1000).map(v => v * 10);
    const rows = decimate.rows(ramp(1000), [values], whole(1000), 500, 503, 400);
    assert.deepStrictEqual(plain(rows), [[499, 4990], [500, 5000], [501, 5010], [502, 5020], [503, 5030], [504, 5040]]);
});

test('between phases the line breaks', () => {
    const x = Float64Array.of(0, 1, 10, 11);
    const segments = [{ first: 0, count: 2 }, { first: 2, count: 2 }];
    assert.deepStrictEqual(plain(decimate.rows(x, [x], segments, 0, 11, 100)),
        [[0, 0], [1, 1], [5.5, 'NaN'], [10, 10], [11, 11]]);
    assert.deepStrictEqual(plain(decimate.rows(x, [x], segments, 20, 30, 100)), []);
    assert.deepStrictEqual(plain(decimate.rows(x, [x], [{ first: 0, count: 0 }], 0, 11, 100)), []);
});

test('very many short phases do not cost more rows than pixels allow', () => {
    const count = 20000;
    const segments = Array.from({ length: count }, (_, i) => ({ first: i, count: 1 }));
    const rows = decimate.rows(ramp(count), [ramp(count)], segments, 0, count, 500);
    assert.ok(rows.length <= 4 * 500, String(rows.length));
});

test('summaries', () => {
    assert.deepStrictEqual(plain(decimate.summary([3, NaN, 1, 2, 10])), { least: 1, median: 2.5, greatest: 10, count: 4 });
    assert.deepStrictEqual(plain(decimate.summary([7])), { least: 7, median: 7, greatest: 7, count: 1 });
    assert.strictEqual(decimate.summary([NaN]), null);
});
