/* The reader's language and the reader's form of numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { mainPages } from './lib/pages.mjs';

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
const lang = page => page.evaluate(() => document.documentElement.lang);
const mainText = page => page.evaluate(() => document.querySelector('main').innerText);
const texts = (page, selector) => page.locator(selector).evaluateAll(all =>
    all.filter(one => one.checkVisibility()).map(one => one.textContent.trim()).filter(Boolean));

async function isJapanese(page) {
    assert.equal(await lang(page), 'ja');
    assert.equal(await page.locator('#language').inputValue(), 'ja');
    for (const selector of ['h2', 'figcaption h3', '.finding > span', 'figure button[aria-expanded]']) {
        const found = await texts(page, selector);
        assert.ok(found.length > 0 || selector.includes('button'), `there is a ${selector}`);
        for (const text of found)
            assert.match(text, JAPANESE, `${selector}: ${text}`);
    }
}

for (const name of mainPages)
    test(`${name}: Japanese for a Japanese browser, whole`, () => visit(name, { locale: 'ja-JP' }, async page => {
        await isJapanese(page);
        const left = await page.locator('main [lang="en"]').allTextContents();
        assert.deepEqual(left, [], 'texts that stayed English');
        assert.ok(await page.evaluate(() => [...document.querySelectorAll('figure [role="img"], figure[aria-label]')]
            .some(one => /[\u3040-\u30ff\u4e00-\u9fff]/.test(one.getAttribute('aria-label')))));
    }));

test('the choice goes there and back', () => visit('parts', {}, async page => {
    assert.equal(await lang(page), 'en');
    const english = await mainText(page);
    assert.doesNotMatch(english, JAPANESE);
    await page.locator('#language').selectOption('ja');
    await isJapanese(page);
    await page.locator('#language').selectOption('en');
    assert.equal(await lang(page), 'en');
    assert.equal(await mainText(page), english);
}));

test('the address keeps the choice', () => visit('parts', { hash: '#lang=ja' }, isJapanese));
test('--lang ja, whatever the browser wants', () => visit('japanese', { locale: 'en-US' }, isJapanese));
test('--lang en, whatever the browser wants', () => visit('english', { locale: 'ja-JP' }, async page => {
    assert.equal(await lang(page), 'en');
    assert.doesNotMatch(await mainText(page), JAPANESE);
}));

test('charts are painted anew in the other language', () => visit('one', {}, async page => {
    const count = await page.locator('figure').count();
    await page.locator('#language').selectOption('ja');
    assert.equal(await page.locator('figure').count(), count);
    assert.deepEqual(await page.locator('[data-failed]').allInnerTexts(), []);
    await page.locator('.chart[data-track="commits"]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    assert.match(await page.locator('.readout').innerText(), JAPANESE);
}));

test('Japanese letters are drawn, not boxes', () => visit('japanese', {}, async page => {
    const drawn = await page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 40 });
        const context = canvas.getContext('2d', { willReadFrequently: true });
        context.font = `24px ${getComputedStyle(document.body).fontFamily}`;
        const picture = letter => {
            context.clearRect(0, 0, 40, 40);
            context.fillText(letter, 4, 30);
            return canvas.toDataURL();
        };
        return ['判', '定', '律', '\u{10fffd}', ' '].map(picture);
    });
    assert.equal(new Set(drawn).size, drawn.length, 'each letter has a shape of its own');
}));

test('numbers in tables have the German form', () => visit('forty', { locale: 'de-DE' }, async page => {
    assert.equal(await lang(page), 'en');
    const cells = await texts(page, '.tables td.n');
    const english = await visit('forty', { locale: 'en-US' }, other => texts(other, '.tables td.n'));
    assert.equal(cells.length, english.length);
    const german = text => text.replace(/[.,]/g, mark => mark === '.' ? ',' : '.');
    let changed = 0;
    cells.forEach((text, index) => {
        assert.equal(text, /^[-\d.,%kMGx ]+$/.test(english[index]) ? german(english[index]) : text);
        changed += text !== english[index];
    });
    assert.ok(changed > 20, `${changed} cells of ${cells.length} have another form`);
}));
