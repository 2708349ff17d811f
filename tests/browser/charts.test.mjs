/* Every chart that a kind of result has is there, and is painted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { CHARTS } from './lib/pages.mjs';

/* Of each visible figure what is empty in it. */
function emptyOnes() {
    const faults = [];
    const isShown = element => element.checkVisibility() && element.getBoundingClientRect().width > 0;
    function isBlank(canvas) {
        if (canvas.width === 0 || canvas.height === 0)
            return true;
        const pixels = new Uint32Array(canvas.getContext('2d')
            .getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return pixels.every(pixel => pixel === pixels[0]);
    }
    for (const figure of document.querySelectorAll('figure')) {
        if (!isShown(figure))
            continue;
        const name = figure.dataset.chart || figure.id;
        const canvases = [...figure.querySelectorAll('canvas')].filter(isShown);
        canvases.forEach((canvas, index) => {
            if (isBlank(canvas))
                faults.push(`${name}: canvas ${index} is blank`);
        });
        const shapes = [...figure.querySelectorAll('.plot svg :is(path, polyline, rect, circle, line)')]
            .filter(shape => shape.getBBox().width + shape.getBBox().height > 0);
        const cells = figure.querySelectorAll('.plot table td').length;
        if (canvases.length + shapes.length + cells === 0)
            faults.push(`${name}: nothing is drawn`);
        if (figure.querySelector('.plot').getBoundingClientRect().height < 40)
            faults.push(`${name}: has no height`);
    }
    return faults;
}

/* How many pixels of the first chart have about the colour of its line. */
function linePixels() {
    const chart = document.querySelector('.chart[data-track="commits"]');
    const canvas = [...chart.querySelectorAll('canvas')].find(one => one.checkVisibility());
    const want = loadline.color('commits').match(/\d+/g).map(Number);
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 150 && [0, 1, 2].every(k => Math.abs(data[i + k] - want[k]) < 40))
            count++;
    return count;
}

for (const [name, charts] of Object.entries(CHARTS))
    test(`${name}: ${charts.join(', ')}`, () => visit(name, {}, async page => {
        const there = await page.locator('figure').evaluateAll(figures => figures.map(f => f.dataset.chart));
        assert.deepEqual(charts.filter(chart => !there.includes(chart)), [], `missing among ${there}`);
        assert.deepEqual(await page.evaluate(emptyOnes), []);
        if (charts.includes('timeline'))
            assert.ok(await page.evaluate(linePixels) > 50, 'the line of commits/s is drawn');
    }));

test('a run without a drive has no charts of one', () => visit('null', {}, async page => {
    assert.equal(await page.locator('.chart[data-track="device"]').count(), 0);
    assert.ok(await page.locator('.tables tbody tr').count() > 0);
}));

test('the line shows the numbers: more commits are higher', () => visit('one', {}, async page => {
    const [first, last] = await page.evaluate(() => {
        const { commits, seconds } = loadline.data.results[0].timeline.columns;
        const rates = [...commits].map((value, i) => value / seconds[i]).filter(Number.isFinite);
        const half = rates.length / 2;
        const mean = list => list.reduce((a, b) => a + b) / list.length;
        return [mean(rates.slice(0, half)), mean(rates.slice(half))];
    });
    assert.ok(last > first * 1.05, 'deletes are faster than inserts in this result');
    assert.ok(Math.abs(first - 800) < 20, `about 800 inserts/s, not ${first}`);
}));
