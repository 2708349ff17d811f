/* The axis that charts over time share, its range and its pointer. */
import assert from 'node:assert';
import test from 'node:test';
import { openScript } from './open-script.mjs';

const loadline = openScript(['05-language.js', '10-number.js', '20-data.js', '40-view.js']);
const plain = value => JSON.parse(JSON.stringify(value));

/* Two phases of four intervals of a second, each of 1 GB; a third whose bytes nobody knows. */
function makeView(more = {}) {
    const start = [0, 1, 2, 3, 10, 11, 12, 13, 20, 21].map(s => s + 5);
    const phase = (trial, start_s, start_bytes, first, count) => ({ trial, repeat: trial, group: 0, phase: 'insert',
        cycle: 0, start_s: start_s + 5, end_s: start_s + 5 + count, start_bytes, first, count });
    const result = {
        groups: [{ name: 'insert, 10 streams', repeats: 3 }],
        phases: [phase(0, 0, 0, 0, 4), phase(1, 10, 6e9, 4, 4), phase(2, 20, null, 8, 2)],
        timeline: { count: 10, merged: 1, columns: { start_s: Float64Array.from(start),
            seconds: new Float64Array(10).fill(1), bytes: new Float64Array(10).fill(1e9) } },
        ...more,
    };
    const { columns } = result.timeline;
    columns.middle_s = loadline.unpack.middles(columns, 10);
    columns.total_bytes = loadline.unpack.cumulativeBytes(result.phases, columns, 10);
    return loadline.view(result);
}

test('phases have the names of their groups', () => {
    assert.deepStrictEqual(plain(makeView().parts.map(part => part.name)),
        [1, 2, 3].map(n => `insert, 10 streams, repeat ${n}`));
    assert.strictEqual(makeView({ groups: [{ name: 'insert', repeats: 1 }] }).parts[2].name, 'insert');
    assert.strictEqual(makeView({ groups: [] }).parts[1].name, 'insert, trial 2');
});

test('a range stays inside the whole', () => {
    const view = makeView();
    let told = 0;
    view.onRange.push(() => told++);
    assert.deepStrictEqual(plain(view.range), [0, 27]);
    view.show(10, 13);
    view.show(10, 13);
    assert.strictEqual(told, 1, 'told only of changes');
    view.show(25, 35);
    assert.deepStrictEqual(plain(view.range), [17, 27]);
    view.show(-100, 100);
    assert.deepStrictEqual(plain(view.range), [0, 27]);
    assert.strictEqual(view.zoomed, false);
    view.zoom(3, 0);
    assert.deepStrictEqual(plain(view.range), [0, 9]);
    view.move(1);
    assert.deepStrictEqual(plain(view.range), [9, 18]);
    view.show(5, 5);
    assert.ok(view.range[1] > view.range[0], 'never empty');
});

test('the interval under the pointer', () => {
    const view = makeView();
    assert.deepStrictEqual([5.1, 5.6, 6.2, 8.9, 12, 15, 26.9, -3].map(x => view.intervalAt(x)), [0, 0, 1, 3, -1, 4, 9, -1]);
    view.setCursor(3);
    view.stepCursor(1);
    assert.strictEqual(view.cursor, 4);
    view.setCursor(9);
    view.stepCursor(1);
    assert.strictEqual(view.cursor, 9);
});

test('the axis of bytes has only phases whose bytes are known', () => {
    const view = makeView();
    assert.ok(view.hasBytes);
    view.switchAxis('bytes');
    assert.deepStrictEqual(plain(view.parts.map(({ low, high }) => [low, high])), [[0, 4], [6, 10]]);
    assert.deepStrictEqual(plain(view.range), [0, 10]);
    assert.strictEqual(view.intervalAt(7.4), 5);
    assert.strictEqual(view.place(17.2), 8.5, 'the third interval of the second phase');
    assert.ok(Number.isNaN(view.place(12)), 'between phases');
    assert.ok(Number.isNaN(view.place(26)), 'of a phase without bytes');
    const none = makeView({ phases: [{ ...view.result.phases[2] }] });
    assert.strictEqual(none.hasBytes, false);
});
