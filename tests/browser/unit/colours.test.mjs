/* The style's colours: legible on both grounds, and apart from each other for every kind of sight. */
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from './language-texts.mjs';

const LINE = 3; /* WCAG 2.1, 1.4.11 */
const TEXT = 4.5; /* 1.4.3 */
const APART = 0.05; /* in OKLab; about five just noticeable differences */

const css = fs.readFileSync(path.join(root, 'reports/style.css'), 'utf8');
const properties = text => Object.fromEntries([...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(m => [m[1], m[2]]));
const light = properties(/:root \{([\s\S]*?)\n\}/.exec(css)[1]);
const dark = { ...light, ...properties(/prefers-color-scheme: dark\) \{([\s\S]*?)\n\}/.exec(css)[1]) };
const paper = { ...light, ...properties(/@media print \{([\s\S]*?)\n {4}\}/.exec(css)[1]) };

function rgb(colors, name) {
    const value = colors[name];
    const other = /^var\(--([\w-]+)\)$/.exec(value);
    if (other)
        return rgb(colors, other[1]);
    assert.match(value, /^#[0-9a-f]{6}$/, name);
    return [1, 3, 5].map(at => parseInt(value.slice(at, at + 2), 16) / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
}
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
}

/* Machado, Oliveira, Fernandes 2009, severity 1, in linear RGB. */
const SIGHTS = {
    normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
};
const times = (matrix, v) => matrix.map(row => row.reduce((sum, m, k) => sum + m * v[k], 0));
const seen = (sight, color) => times(SIGHTS[sight], color).map(c => Math.min(1, Math.max(0, c)));
function lab(color) { /* OKLab, Ottosson 2020 */
    const lms = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005]], color).map(Math.cbrt);
    return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.808675766]], lms);
}
const distance = (a, b) => Math.hypot(...lab(a).map((v, k) => v - lab(b)[k]));

for (const [theme, colors] of Object.entries({ light, dark, paper })) {
    const lines = Object.keys(colors).filter(name => name.startsWith('c-'));
    test(`${theme}: lines stand against paper and panel`, () => {
        assert.ok(lines.length >= 22);
        for (const name of lines)
            for (const ground of ['paper', 'panel'])
                assert.ok(contrast(rgb(colors, name), rgb(colors, ground)) >= LINE,
                    `--${name} on --${ground}: ${contrast(rgb(colors, name), rgb(colors, ground)).toFixed(2)}`);
    });
    test(`${theme}: text can be read`, () => {
        for (const name of ['ink', 'muted', 'loud', 'focus'])
            for (const ground of ['paper', 'panel', 'band'])
                assert.ok(contrast(rgb(colors, name), rgb(colors, ground)) >= TEXT,
                    `--${name} on --${ground}: ${contrast(rgb(colors, name), rgb(colors, ground)).toFixed(2)}`);
    });
    for (const sight of Object.keys(SIGHTS))
        test(`${theme}: s0 to s7 are told apart, ${sight}`, () => {
            for (let i = 0; i < 8; i++)
                for (let k = i + 1; k < 8; k++) {
                    const far = distance(seen(sight, rgb(colors, `c-s${i}`)), seen(sight, rgb(colors, `c-s${k}`)));
                    assert.ok(far >= APART, `s${i} and s${k}: ${far.toFixed(3)}`);
                }
        });
    test(`${theme}: the heat ramp goes one way`, () => {
        const steps = [0, 1, 2, 3, 4].map(k => luminance(rgb(colors, `heat-${k}`)));
        const up = steps[4] > steps[0];
        for (let k = 1; k < 5; k++)
            assert.ok(up === steps[k] > steps[k - 1], `heat-${k}`);
    });
}
test('the measures know black from white', () => {
    assert.strictEqual(Math.round(contrast([0, 0, 0], [1, 1, 1])), 21);
    assert.ok(Math.abs(distance([0, 0, 0], [1, 1, 1]) - 1) < 0.01);
});
