/* A telephone: nothing is cut off, nothing lies on something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unfold, visit } from './lib/browser.mjs';
import { allPages, mainPages } from './lib/pages.mjs';

/* What reaches beyond the right edge though nothing scrolls it. */
function tooWide() {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth)
        return [];
    const found = [...document.querySelectorAll('body *')].filter(element =>
        element.checkVisibility() && element.getBoundingClientRect().right > root.clientWidth + 1
        && !element.closest('.scroll'));
    return [`${root.scrollWidth} px of ${root.clientWidth}`,
        ...found.slice(0, 5).map(element => `${element.localName}.${element.className} "${element.textContent.slice(0, 40)}"`)];
}

/* Pairs of texts of which one lies on the other. */
function overlaps() {
    scrollTo(0, 0); /* what sticks to the edge lies on nothing then */
    const SHRINK = 0.25; /* of a line's height, which letters leave empty */
    const texts = [];
    /* The part of a box that those around it let be seen. */
    function seen(box, element) {
        let { left, right, top, bottom } = box;
        for (let one = element; one && one !== document.body; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (style.overflowX === 'visible' && style.overflowY === 'visible')
                continue;
            const frame = one.getBoundingClientRect();
            left = Math.max(left, frame.left);
            right = Math.min(right, frame.right);
            top = Math.max(top, frame.top);
            bottom = Math.min(bottom, frame.bottom);
        }
        const spare = (bottom - top) * SHRINK;
        return { left: left + 1, right: right - 1, top: top + spare, bottom: bottom - spare };
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || ['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION', 'SELECT'].includes(element.tagName)
            || element.closest('.skip') || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
            continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            const place = seen(box, element);
            if (place.right > place.left && place.bottom > place.top)
                texts.push({ ...place, text: node.data.trim().slice(0, 40), node });
        }
    }
    texts.sort((a, b) => a.top - b.top);
    const pairs = [];
    for (let i = 0; i < texts.length; i++)
        for (let k = i + 1; k < texts.length && texts[k].top < texts[i].bottom; k++)
            if (texts[k].left < texts[i].right && texts[i].left < texts[k].right && texts[i].node !== texts[k].node)
                pairs.push(`"${texts[i].text}" and "${texts[k].text}" in ${
                    texts[i].node.parentElement.closest('figure, section')?.id || texts[i].node.parentElement.className}`);
    return [...new Set(pairs)];
}

/* Looks at the page at each width, the windows of which a reader may change. */
async function atWidths(page, widths, find) {
    for (const width of widths) {
        await page.setViewportSize({ width, height: 740 });
        await page.waitForTimeout(200);
        assert.deepEqual(await page.evaluate(find), [], `${width} px`);
    }
}

for (const name of allPages)
    test(`${name}: nothing scrolls sideways`, () => visit(name, { width: 360, height: 740 }, async page => {
        await unfold(page);
        await atWidths(page, [360, 320], tooWide);
    }));

for (const locale of ['en-US', 'ja-JP'])
    for (const name of mainPages)
        test(`${name}, ${locale}: no text on another`, () => visit(name, { width: 360, locale }, async page => {
            await unfold(page);
            await atWidths(page, [360, 1200], overlaps);
        }));

test('on a telephone the buttons are there, and tables scroll by themselves', () =>
    visit('forty', { width: 360, height: 740, touch: true }, async page => {
        const scrolls = await page.locator('.tables .scroll').evaluateAll(all =>
            all.some(one => one.scrollWidth > one.clientWidth));
        assert.ok(scrolls, 'a wide table scrolls in its own place');
        const small = await page.locator('figure button').evaluateAll(all => all.filter(one => one.checkVisibility())
            .map(one => one.getBoundingClientRect()).filter(box => box.width < 24 || box.height < 24).length);
        assert.equal(small, 0, 'targets of at least 24 px');
    }));
