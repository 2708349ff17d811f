/* Numbers as the reader writes them, and round numbers for axes. */
import assert from 'node:assert';
import test from 'node:test';
import { openScript } from './open-script.mjs';

const loadline = openScript(['05-language.js', '10-number.js', '15-ticks.js']);
const { ticks } = loadline;
const plain = value => JSON.parse(JSON.stringify(value));
function inLocale(locale, work) {
    loadline.locale = locale;
    work();
    loadline.locale = 'en';
}

test('three digits that count', () => {
    for (const [value, text] of [[12345, '12,300'], [244.4, '244'], [24.49, '24.5'], [4.1, '4.10'], [0.5, '0.500'],
        [0.1666, '0.167'], [7, '7'], [0, '0'], [-3.14159, '-3.14'], [1234567, '1,230,000'], [999.6, '1,000'],
        [9.999, '10.0'], [1e-9, '1.00e-9']])
        assert.strictEqual(loadline.number(value), text);
});

test('what is not known is a dash, never 0', () => {
    for (const name of ['number', 'short', 'bytes', 'ms', 'time', 'percent', 'clock', 'fixed'])
        for (const value of [NaN, null, undefined, Infinity, '7'])
            assert.strictEqual(loadline[name](value, 1), '-', `${name} ${value}`);
});

test('short forms', () => {
    for (const [value, text] of [[0, '0'], [950, '950'], [1000, '1k'], [12345, '12.3k'], [999600, '1M'], [2.5e6, '2.5M'],
        [0.05, '0.05'], [100, '100'], [-2000, '-2k'], [1e-7, '10\u207b\u2077'], [2.5e-5, '2.5\u00d710\u207b\u2075']])
        assert.strictEqual(loadline.short(value), text);
});

test('units', () => {
    assert.strictEqual(loadline.bytes(22e9), '22 GB');
    assert.strictEqual(loadline.bytes(4096), '4.10 kB');
    assert.strictEqual(loadline.bytes(512), '512 B');
    assert.strictEqual(loadline.percent(0.8412), '84.1%');
    assert.strictEqual(loadline.ms(1.234), '1.23 ms');
    assert.strictEqual(loadline.ms(12000), '12 s');
    assert.strictEqual(loadline.time(0.35), '0.350 s');
    assert.strictEqual(loadline.time(600), '10 min');
    assert.strictEqual(loadline.time(7500), '2 h 05 min');
    assert.strictEqual(loadline.clock(12.345, 60), '12.3 s');
    assert.strictEqual(loadline.clock(3723, 8000), '1:02:03');
    assert.strictEqual(loadline.fixed(3749.46, 1), '3,749.5');
});

test("the reader's signs", () => {
    inLocale('de-DE', () => {
        assert.strictEqual(loadline.number(12345), '12.300');
        assert.strictEqual(loadline.number(4.1), '4,10');
    });
    inLocale('fr-FR', () => assert.match(loadline.number(12345), /^12[\u202f\u00a0]300$/));
    inLocale('es-ES', () => assert.deepStrictEqual([1234, 12345].map(loadline.number), ['1230', '12.300']));
    inLocale('en-IN', () => assert.strictEqual(loadline.number(-1234567.8), '-12,30,000'));
    inLocale('en-GB', () => assert.strictEqual(loadline.number(-0.25), '-0.250'));
    inLocale('ar-EG', () => assert.match(loadline.number(4.1), /^4[.,\u066b]10$/));
});

test('linear ticks', () => {
    assert.deepStrictEqual(plain(ticks.linear(0, 10, 5)), [0, 2, 4, 6, 8, 10]);
    assert.deepStrictEqual(plain(ticks.linear(0, 0.3, 3)), [0, 0.1, 0.2, 0.3]);
    assert.deepStrictEqual(plain(ticks.linear(-5, 12, 4)), [-5, 0, 5, 10]);
    assert.deepStrictEqual(plain(ticks.linear(3, 3, 4)), [3]);
});

test('logarithmic ticks', () => {
    assert.deepStrictEqual(plain(ticks.log(0.1, 1000, 6)), [0.1, 1, 10, 100, 1000]);
    assert.deepStrictEqual(plain(ticks.log(1, 12, 6)), [1, 3, 10]);
    const decades = ticks.log(1e-6, 1e6, 5);
    assert.ok(decades.length <= 5 && decades.length >= 3);
    assert.ok(ticks.log(0.52, 0.58, 5).length >= 2);
    assert.ok(ticks.log(0, 10, 5).length >= 2);
});

test('ticks of time are round in their unit', () => {
    const shown = (low, high, most) => {
        const { unit, size, values } = ticks.time(low, high, most);
        return [unit, ...values.map(value => value / size)];
    };
    assert.deepStrictEqual(shown(0, 50, 6), ['s', 0, 10, 20, 30, 40, 50]);
    assert.deepStrictEqual(shown(0, 3600, 6), ['min', 0, 10, 20, 30, 40, 50, 60]);
    assert.deepStrictEqual(shown(0, 6 * 3600, 6), ['h', 0, 1, 2, 3, 4, 5, 6]);
    assert.strictEqual(shown(0, 40 * 86400, 5)[0], 'd');
    assert.strictEqual(shown(10, 10.5, 5)[0], 's');
});
