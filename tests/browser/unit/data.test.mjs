/* Packed columns and what is derived of them. */
import assert from 'node:assert';
import test from 'node:test';
import { deflateSync } from 'node:zlib';
import { openScript, packColumn } from './open-script.mjs';

const loadline = openScript(['20-data.js']);
const { column, columns, cumulativeBytes, middles } = loadline.unpack;
const unpacked = (values, form) => {
    const bytes = packColumn(values, form);
    return [...column(bytes, 0, bytes.length, values.length, { log: false, scale: 1, ...form })];
};
const base64 = value => deflateSync(Buffer.from(value)).toString('base64');

test('bytes written by hand', () => {
    /* 3: zigzag 6, +1 = 7; unknown: 0; back to 2: -1, zigzag 1, +1 = 2; 130: +128, 256 + 1 = 257 */
    const bytes = Uint8Array.from([7, 0, 2, 0x81, 0x02]);
    assert.deepStrictEqual([...column(bytes, 0, 5, 4, { log: false, scale: 1 })], [3, NaN, 2, 130]);
});

test('a column comes back: signs, unknown values, more than 32 and 52 bits', () => {
    const values = [0, 1, -1, 63, 64, -64, NaN, 5, NaN, NaN, 2 ** 33, 3, 2 ** 51, 0];
    assert.deepStrictEqual(unpacked(values, {}), values);
});

test('scales', () => {
    unpacked([1.234, 0.001, NaN, 17], { scale: 0.001 }).forEach((value, i) =>
        i === 2 ? assert.ok(Number.isNaN(value)) : assert.ok(Math.abs(value - [1.234, 0.001, 0, 17][i]) < 1e-9));
    const [a, zero, b] = unpacked([0.17, 0, 1900], { log: true, scale: 0.01 });
    assert.ok(Math.abs(a / 0.17 - 1) < 0.006 && Math.abs(b / 1900 - 1) < 0.006);
    assert.ok(Number.isNaN(zero), 'what has no logarithm is not known');
});

test('columns lie one behind the other; one that is cut off is refused', () => {
    const parts = [packColumn([1, 2, 3], {}), packColumn([NaN, 500, 400], {})];
    const description = { count: 3, columns: [{ name: 'a', scale: 1, size: parts[0].length },
        { name: 'b', scale: 1, size: parts[1].length }] };
    const bytes = Uint8Array.from([...parts[0], ...parts[1]]);
    const { a, b } = columns(description, bytes);
    assert.deepStrictEqual([...a], [1, 2, 3]);
    assert.deepStrictEqual([...b], [NaN, 500, 400]);
    assert.throws(() => columns(description, bytes.subarray(0, bytes.length - 1)), /b is cut off/);
});

test('a damaged column ends, and what it lacks is not known', () => {
    assert.deepStrictEqual([...column(Uint8Array.from([3]), 0, 1, 3, { log: false, scale: 1 })], [1, NaN, NaN]);
});

test('bytes add up from the start of each phase, at the middle of each interval', () => {
    const phases = [{ start_bytes: 100, first: 0, count: 3 }, { start_bytes: null, first: 3, count: 1 },
        { start_bytes: 1000, first: 4, count: 1 }];
    const bytes = Float64Array.of(10, NaN, 30, 5, 8);
    assert.deepStrictEqual([...cumulativeBytes(phases, { bytes }, 5)], [105, 110, 125, NaN, 1004]);
    assert.deepStrictEqual([...cumulativeBytes(phases, {}, 2)], [NaN, NaN]);
    assert.deepStrictEqual([...middles({ start_s: [1, 3], seconds: [2, NaN] }, 2)], [2, 3]);
});

test('the data block, with its timeline', async () => {
    const times = packColumn([1, 2], { scale: 0.5 });
    const result = { phases: [{ start_bytes: null, first: 0, count: 2 }], timeline: { count: 2, merged: 3,
        columns: [{ name: 'start_s', log: false, scale: 0.5, size: times.length }], data: base64(times) } };
    const data = await loadline.readData(`\n${base64(JSON.stringify({ results: [result, { timeline: null }] }))}\n`);
    for (const one of data.results)
        await loadline.openTimeline(one);
    const { timeline } = data.results[0];
    assert.strictEqual(timeline.merged, 3);
    assert.deepStrictEqual([...timeline.columns.start_s], [1, 2]);
    assert.deepStrictEqual([...timeline.columns.total_bytes], [NaN, NaN]);
    assert.strictEqual(data.results[1].timeline, null);
    await assert.rejects(loadline.readData('AAAA'));
});
