/* Several results on one page: the comparison first, details on demand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';

test('each result is in details, and its charts wait until it is opened', () => visit('three', {}, async page => {
    const articles = page.locator('article.result');
    assert.equal(await articles.count(), 3);
    const all = page.locator('details:has(> article.result), details.result');
    assert.equal(await all.count(), 3);
    for (const details of await all.all()) {
        const figures = details.locator('figure');
        if (!await details.evaluate(one => one.open)) {
            assert.equal(await figures.count(), 0, 'a closed result has painted nothing');
            await details.locator('> summary').click();
        }
        await figures.first().waitFor();
        const canvas = details.locator('.chart canvas').first();
        await canvas.waitFor();
        assert.ok(await canvas.evaluate(one => new Set(new Uint32Array(one.getContext('2d')
            .getImageData(0, 0, one.width, one.height).data.buffer)).size > 1), 'and is painted now');
    }
}));

test('results keep apart: zooming one leaves the other as it is', () => visit('compare', {}, async page => {
    for (const details of await page.locator('details:has(article.result)').all())
        if (!await details.evaluate(one => one.open))
            await details.locator('> summary').click();
    await page.locator('article.result').nth(1).locator('.chart').first().waitFor();
    const ranges = () => page.evaluate(() => loadline.data.results.map(result => [...loadline.view(result).range]));
    const [first, second] = await ranges();
    await page.locator('article.result').nth(0).locator('.chart').first().focus();
    await page.keyboard.press('+');
    const [zoomed, other] = await ranges();
    assert.notDeepEqual(zoomed, first);
    assert.deepEqual(other, second);
    const ids = await page.locator('[id]').evaluateAll(list => list.map(one => one.id));
    assert.equal(new Set(ids).size, ids.length, 'no id is there twice');
}));

test('a comparison has its verdict, its table and its ratios with intervals', () => visit('compare', {}, async page => {
    const text = await page.locator('main').innerText();
    assert.match(text, /VERDICT/i);
    assert.match(text, /Example 240GB PLP/);
    assert.match(text, /検証機 B号/);
    const forest = page.locator('figure[data-chart="forest"]');
    assert.equal(await forest.count(), 1);
    assert.ok(await forest.locator('svg :is(path, line, rect)').count() > 5);
    /* A commit of the second drive takes 6 times as long. */
    const ratio = await page.evaluate(() => loadline.data.comparison.groups[0].metrics
        .find(metric => metric.path === 'commits_per_s').ratios[0].ratio);
    assert.ok(ratio > 0.14 && ratio < 0.18, `ratio ${ratio}`);
}));
