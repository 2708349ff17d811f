/* Scales, labels and choices of points. */
import assert from 'node:assert';
import test from 'node:test';
import { near, openScripts, plain } from './analysis-open.mjs';

const { axis, find } = openScripts();

test('a scale maps its ends, and the middle between them', () => {
    const at = axis.scale({ from: 10, to: 20 }, 100, 300);
    assert.deepStrictEqual([10, 15, 20].map(at), [100, 200, 300]);
    const up = axis.scale({ from: 0, to: 4 }, 200, 0);
    assert.deepStrictEqual([0, 1, 4].map(up), [200, 150, 0]);
});
test('on a logarithmic scale equal ratios are equally long', () => {
    const at = axis.scale({ from: 1, to: 1000, log: true }, 0, 300);
    assert.ok(near(at(10), 100) && near(at(100), 200) && near(at(Math.sqrt(10)), 50));
});
test('a scale of one value is no NaN', () => {
    assert.ok(Number.isFinite(axis.scale({ from: 5, to: 5 }, 0, 100)(5)));
});
test('an axis that is rounded ends at the tick above its highest value', () => {
    assert.strictEqual(axis.rounded({ from: 0, to: 12100, round: true }, 180).to, 15000);
    assert.strictEqual(axis.rounded({ from: 0, to: 10000, round: true }, 180).to, 10000);
    assert.strictEqual(axis.rounded({ from: 0, to: 12100 }, 180).to, 12100);
});
test('labels that would run into the one before are left out', () => {
    const ticks = [0, 10, 60, 65, 200].map(at => ({ at, text: '1,000' }));
    assert.deepStrictEqual(plain(axis.apart(ticks)).map(tick => tick.at), [0, 60, 200]);
});
test('a Japanese letter takes the room of almost two Latin ones', () => {
    assert.ok(axis.textWidth('東京') > 1.7 * axis.textWidth('ab'));
});
test('points are picked evenly, always the same, with both ends', () => {
    assert.deepStrictEqual(plain(find.pick(3, 10)), [0, 1, 2]);
    assert.deepStrictEqual(plain(find.pick(9, 5)), [0, 2, 4, 6, 8]);
    const many = plain(find.pick(100000, 1500));
    assert.strictEqual(many.length, 1500);
    assert.strictEqual(many[0], 0);
    assert.strictEqual(many[1499], 99999);
    assert.strictEqual(new Set(many).size, 1500);
    assert.deepStrictEqual(many, plain(find.pick(100000, 1500)));
});
test('a median of known values only', () => {
    assert.strictEqual(find.median([5, NaN, 1, 3]), 3);
    assert.strictEqual(find.median([4, 1, 3, 2]), 2.5);
    assert.ok(Number.isNaN(find.median([NaN])));
});
test('names have what tells places apart, and no more', () => {
    const place = factors => ({ phase: 'insert', part: null, factors });
    assert.deepStrictEqual(plain(find.namesOf([
        place({ streams: 1, layout: 'shared-table', 'sqlite.page_size': 4096 }),
        place({ streams: 10, layout: 'shared-table', 'sqlite.page_size': 4096 })])),
    ['insert, 1 stream', 'insert, 10 streams']);
});
test('of a plan that turns one knob at a time only that knob is named', () => {
    const usual = { streams: 4, 'row.payload': 100, 'row.indexes': 0, 'sqlite.journal_mode': 'wal' };
    const turned = [{}, { streams: 16 }, { 'row.payload': 1000 }, { 'row.indexes': 2 },
        { 'sqlite.journal_mode': 'truncate' }];
    const places = turned.map(own => ({ phase: 'insert', part: 'bulk', factors: { ...usual, ...own } }));
    assert.deepStrictEqual(plain(find.namesOf(places)), ['insert (bulk)', 'insert (bulk), 16 streams',
        'insert (bulk), payload 1000', 'insert (bulk), indexes 2', 'insert (bulk), journal_mode truncate']);
});
test('a finding meets its group by part, phase and all factors', () => {
    const result = { groups: [
        { part: null, phase: 'insert', factors: { streams: 1 } },
        { part: null, phase: 'delete', factors: { streams: 10 } },
        { part: null, phase: 'insert', factors: { streams: 10 } },
        { part: 'bulk', phase: 'insert', factors: { streams: 10 } }] };
    const finding = { part: null, phase: 'insert', factors: {} };
    assert.strictEqual(find.groupOf(result, finding, { streams: 10 }), 2);
    assert.strictEqual(find.groupOf(result, { ...finding, part: 'bulk' }, { streams: 10 }), 3);
    assert.strictEqual(find.groupOf(result, finding, { streams: 20 }), -1);
});
