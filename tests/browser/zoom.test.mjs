/* All charts over time show the same range and the same instant, whatever moved them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';

/* A picture of each chart over time, by its name. */
const pictures = page => page.evaluate(() => {
    const all = {};
    const shot = element => [...element.querySelectorAll('canvas')].filter(canvas => canvas.checkVisibility())
        .map(canvas => canvas.toDataURL()).join();
    for (const chart of document.querySelectorAll('.chart[data-track]'))
        all[chart.dataset.track] = shot(chart);
    all.heat = shot(document.querySelector('figure[data-chart="heat"]'));
    return all;
});
const range = page => page.evaluate(() => [...loadline.view(loadline.data.results[0]).range]);
const settled = page => page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))));

function allDiffer(before, after, what) {
    for (const name of Object.keys(before))
        assert.notEqual(after[name], before[name], `${what}: ${name} shows something else`);
}
function allEqual(before, after, what) {
    for (const name of Object.keys(before))
        assert.ok(after[name] === before[name], `${what}: ${name} shows the same again`);
}
/* Where a chart lies in the window. */
async function boxOf(page, track) {
    const chart = page.locator(`.chart[data-track="${track}"]`);
    await chart.scrollIntoViewIfNeeded();
    return chart.boundingBox();
}
/* Presses in one chart at one share of its plot, releases at another. */
async function drag(page, track, from, to) {
    const box = await boxOf(page, track);
    const { x, w } = await page.evaluate(() => {
        const view = loadline.view(loadline.data.results[0]);
        return loadline.timeArea(view, document.querySelector('.stack').clientWidth);
    });
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + x + from * w, y);
    await page.mouse.down();
    await page.mouse.move(box.x + x + (from + to) / 2 * w, y, { steps: 3 });
    await page.mouse.move(box.x + x + to * w, y);
    await page.mouse.up();
    await settled(page);
}

for (const track of ['commits', 'device', 'cpu'])
    test(`dragging in ${track} zooms all of them`, () => visit('one', {}, async page => {
        const before = await pictures(page);
        const [low, high] = await range(page);
        await drag(page, track, 0.25, 0.5);
        const [from, to] = await range(page);
        assert.ok(Math.abs(from - (low + 0.25 * (high - low))) < 0.02 * (high - low), `from ${from}`);
        assert.ok(Math.abs(to - (low + 0.5 * (high - low))) < 0.02 * (high - low), `to ${to}`);
        allDiffer(before, await pictures(page), 'drag');
        await page.locator(`.chart[data-track="${track}"]`).dblclick();
        await page.mouse.move(0, 0);
        await settled(page);
        assert.deepEqual(await range(page), [low, high]);
        allEqual(before, await pictures(page), 'double click');
    }));

test('keys: plus, minus, arrows, 0', () => visit('one', {}, async page => {
    const before = await pictures(page);
    const whole = await range(page);
    await page.locator('.chart[data-track="device"]').focus();
    await page.keyboard.press('+');
    await settled(page);
    const zoomed = await pictures(page);
    const near = await range(page);
    assert.ok(near[1] - near[0] < 0.6 * (whole[1] - whole[0]));
    allDiffer(before, zoomed, 'plus');
    await page.keyboard.press('ArrowRight');
    await settled(page);
    allDiffer(zoomed, await pictures(page), 'right');
    assert.ok((await range(page))[0] > near[0]);
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    assert.ok((await range(page)).every((value, i) => Math.abs(value - near[i]) < 1e-6 * whole[1]));
    await page.keyboard.press('-');
    assert.deepEqual((await range(page)).map(Math.round), whole.map(Math.round));
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('0');
    await settled(page);
    assert.deepEqual(await range(page), whole);
    allEqual(before, await pictures(page), '0');
    await page.keyboard.press('Control++');
    assert.deepEqual(await range(page), whole, 'the zoom of the browser is not taken away');
}));

test('buttons zoom, and show all', () => visit('one', {}, async page => {
    const whole = await range(page);
    await page.getByRole('button', { name: 'zoom in' }).click();
    const near = await range(page);
    assert.ok(near[1] - near[0] < whole[1] - whole[0]);
    await page.getByRole('button', { name: 'zoom out' }).click();
    assert.deepEqual((await range(page)).map(Math.round), whole.map(Math.round));
    await page.getByRole('button', { name: 'zoom in' }).click();
    await page.getByRole('button', { name: 'show all' }).click();
    assert.deepEqual(await range(page), whole);
}));

test('one pointer reads the values of all charts', () => visit('one', {}, async page => {
    const hint = await page.locator('.readout').innerText();
    const box = await boxOf(page, 'commits');
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 40);
    const readout = await page.locator('.readout').innerText();
    assert.notEqual(readout, hint);
    assert.match(readout, /\d+(\.\d+)? s.*insert/);
    const expected = await page.evaluate(() => {
        const { columns } = loadline.data.results[0].timeline;
        const at = loadline.view(loadline.data.results[0]).cursor;
        const rate = name => loadline.number(columns[name][at] / columns.seconds[at]);
        return [rate('commits'), rate('writes'), rate('flushes')];
    });
    const values = page.locator('.track .legend .value');
    for (const text of expected)
        assert.ok((await values.allInnerTexts()).includes(text), `a chart says ${text}`);
    for (const track of await page.locator('.track').all())
        assert.match(await track.locator('.legend').innerText(), /\d/, 'each chart says its value');
    for (const line of await page.locator('.stack > .cursor').all())
        assert.ok(await line.isVisible(), 'a line through every chart');
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 40);
    assert.notEqual(await page.locator('.readout').innerText(), readout);
    await page.mouse.move(5, 5);
    assert.equal(await page.locator('.readout').innerText(), hint);
    assert.ok(!await page.locator('.stack > .cursor').first().isVisible());
}));

test('the values can be read by keys', () => visit('one', {}, async page => {
    await page.locator('.chart[data-track="commits"]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    const first = await page.locator('.readout').innerText();
    await page.keyboard.press('Shift+ArrowRight');
    assert.notEqual(await page.locator('.readout').innerText(), first);
    assert.equal(await page.locator('.readout').getAttribute('aria-live'), 'polite');
}));

test('the axis may be the GB that the drive took', () => visit('parts', {}, async page => {
    const before = await pictures(page);
    const unit = await page.locator('.axis-name.x').first().innerText();
    await page.getByRole('radio', { name: 'GB written' }).check();
    await settled(page);
    assert.notEqual(await page.locator('.axis-name.x').first().innerText(), unit);
    assert.match(await page.locator('.axis-name.x').first().innerText(), /GB/);
    allDiffer(before, await pictures(page), 'GB');
    const [, most] = await range(page);
    assert.ok(most > 0.4 && most < 3, `${most} GB in all`);
    const box = await boxOf(page, 'commits');
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 40);
    assert.match(await page.locator('.readout').innerText(), /[kMG]B/);
    await page.mouse.move(5, 5);
    await page.getByRole('radio', { name: 'time' }).check();
    await settled(page);
    allEqual(before, await pictures(page), 'time');
}));

test('a phase can be chosen', () => visit('parts', {}, async page => {
    const before = await pictures(page);
    const phases = await page.evaluate(() =>
        loadline.data.results[0].phases.map(phase => [phase.start_s, phase.end_s]));
    const select = page.getByRole('combobox', { name: 'phase to show' });
    assert.equal(await select.locator('option').count(), phases.length + 1);
    for (let i = 0; i < phases.length; i++) {
        await select.selectOption(String(i));
        const shown = await range(page);
        assert.ok(shown.every((value, k) => Math.abs(value - phases[i][k]) < 1e-6), `phase ${i}: ${shown}`);
    }
    await settled(page);
    allDiffer(before, await pictures(page), 'phase');
    await select.selectOption('');
    await settled(page);
    allEqual(before, await pictures(page), 'all phases');
}));

test('a table has the values of the range that is shown', () => visit('one', {}, async page => {
    const figure = page.locator('figure[data-chart="timeline"]');
    const button = figure.getByRole('button', { name: 'Table' });
    await button.click();
    const all = await figure.locator('tbody tr').count();
    await button.click();
    await page.locator('.chart[data-track="device"]').focus();
    await page.keyboard.press('+');
    await button.click();
    const fewer = await figure.locator('tbody tr').count();
    assert.ok(fewer > 0 && fewer < 0.7 * all, `${fewer} of ${all} rows`);
}));

test('two fingers zoom', () => visit('one', { width: 400, touch: true }, async page => {
    const [low, high] = await range(page);
    const box = await boxOf(page, 'commits');
    const client = await page.context().newCDPSession(page);
    const touch = (type, ...xs) => client.send('Input.dispatchTouchEvent', { type,
        touchPoints: xs.map((x, id) => ({ x: box.x + x * box.width, y: box.y + 40, id })) });
    await touch('touchStart', 0.45);
    await touch('touchStart', 0.45, 0.55);
    for (const spread of [0.1, 0.15, 0.2, 0.25])
        await touch('touchMove', 0.5 - spread, 0.5 + spread);
    await touch('touchEnd');
    const [from, to] = await range(page);
    assert.ok(to - from < 0.5 * (high - low), `from ${high - low} s to ${to - from} s`);
}));
