/* Light and dark: everything can be read, and lines are seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unfold, visit } from './lib/browser.mjs';
import { faintLines, faintTexts } from './lib/contrast.mjs';
import { mainPages } from './lib/pages.mjs';

const pages = [...mainPages, 'hostile-text', 'three'];
for (const name of pages)
    test(`${name}: texts and lines stand out, light and dark`, () => visit(name, {}, async page => {
        await unfold(page);
        for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            await page.waitForTimeout(200);
            assert.deepEqual(await page.evaluate(faintTexts), [], colorScheme);
            const lines = await page.evaluate(faintLines);
            assert.deepEqual(lines.faults, [], colorScheme);
            if (name === 'one')
                assert.ok(lines.count > 5, 'legends have lines to look at');
        }
    }));

test('contrast is computed rightly', () => visit('one', {}, async page => {
    await page.evaluate(() => {
        for (const [color, words] of [['rgb(118, 118, 118)', 'just enough'], ['rgb(121, 121, 121)', 'too faint']]) {
            const node = document.createElement('p');
            node.style.color = color;
            node.style.background = 'rgb(255, 255, 255)';
            node.textContent = words;
            document.querySelector('main').append(node);
        }
    });
    const faults = await page.evaluate(faintTexts);
    assert.equal(faults.length, 1);
    assert.match(faults[0], /^4\.\d\d: "too faint"/);
}));

test('charts follow when light becomes dark', () => visit('one', {}, async page => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body.parentElement).backgroundColor);
    const chart = () => page.evaluate(() => [...document.querySelectorAll('.chart canvas')]
        .map(canvas => canvas.toDataURL()).join());
    const [paper, drawn] = [await ground(), await chart()];
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForTimeout(300);
    assert.notEqual(await ground(), paper);
    assert.notEqual(await chart(), drawn);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForTimeout(300);
    assert.equal(await chart(), drawn);
}));
