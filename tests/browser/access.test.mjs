/* What a reader without a mouse, or without sight, can do and learn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { mainPages } from './lib/pages.mjs';

const CONTROLS = new Set(['button', 'combobox', 'radio', 'checkbox', 'link', 'textbox', 'slider', 'DisclosureTriangle']);

/* Marks what Tab should reach: of radio buttons the one that is chosen. */
function markStops() {
    const stops = [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]')]
        .filter(element => element.checkVisibility() && !element.disabled)
        .filter(element => element.type !== 'radio' || element.checked);
    stops.forEach((element, index) => { element.dataset.stop = String(index); });
    return stops.map(element => element.outerHTML.slice(0, 120));
}

for (const name of mainPages) {
    test(`${name}: each figure says in words what it shows`, () => visit(name, {}, async page => {
        const figures = await page.locator('figure').evaluateAll(all => all.filter(one => one.checkVisibility())
            .map(figure => ({ name: figure.dataset.chart, caption: figure.querySelector('figcaption')?.innerText || '',
                labels: [...figure.querySelectorAll('[role="img"]')].map(one => one.getAttribute('aria-label') || ''),
                table: Boolean(figure.querySelector('.plot table')) })));
        for (const { name: chart, caption, labels, table } of figures) {
            assert.ok(caption.length > 3, `${chart} has a caption`);
            assert.ok(table || labels.some(label => /\d/.test(label)), `${chart}: a number in "${labels.join('", "')}"`);
        }
    }));

    test(`${name}: each figure has its numbers as a table`, () => visit(name, {}, async page => {
        for (const figure of await page.locator('figure').all()) {
            const chart = await figure.getAttribute('data-chart');
            if (!await figure.isVisible() || await figure.locator('.plot table').count() > 0)
                continue;
            const button = figure.getByRole('button', { name: 'Table', exact: true });
            assert.equal(await button.count(), 1, `${chart} has a button for it`);
            await button.click();
            assert.equal(await button.getAttribute('aria-expanded'), 'true');
            assert.ok(await figure.locator('tbody tr').count() > 0, `${chart}: has rows`);
            assert.ok(await figure.locator('thead th').count() > 1, `${chart}: has columns`);
            assert.match(await figure.locator('tbody').innerText(), /\d/);
            assert.doesNotMatch(await figure.locator('table').innerText(), /NaN|undefined|null|\[object/);
            await button.click();
            assert.equal(await figure.locator('tbody').count(), 0, `${chart}: is put away again`);
        }
    }));

    test(`${name}: every control has a name and is reached by Tab`, () => visit(name, {}, async page => {
        const client = await page.context().newCDPSession(page);
        const { nodes } = await client.send('Accessibility.getFullAXTree');
        const nameless = nodes.filter(({ ignored, role, name: label }) =>
            !ignored && CONTROLS.has(role?.value) && !label?.value?.trim());
        assert.deepEqual(nameless.map(({ role }) => role.value), [], 'controls without a name');
        const stops = await page.evaluate(markStops);
        const seen = new Set();
        await page.locator('body').press('Tab');
        for (let i = 0; i < 2 * stops.length && seen.size < stops.length; i++) {
            seen.add(await page.evaluate(() => document.activeElement.dataset.stop));
            await page.keyboard.press('Tab');
        }
        assert.deepEqual(stops.filter((_, index) => !seen.has(String(index))), [], 'controls that Tab does not reach');
    }));
}

test('the focus can be seen', () => visit('one', {}, async page => {
    for (let i = 0; i < 8; i++) {
        await page.keyboard.press('Tab');
        const outline = await page.evaluate(() => {
            const style = getComputedStyle(document.activeElement);
            return [style.outlineStyle, style.outlineWidth].join(' ');
        });
        assert.doesNotMatch(outline, /none|^\w+ 0px/);
    }
}));

test('headings follow each other without a gap', () => visit('one', {}, async page => {
    const levels = await page.locator('h1, h2, h3, h4').evaluateAll(all =>
        all.filter(one => one.checkVisibility()).map(one => Number(one.localName[1])));
    assert.ok(levels.length > 3);
    levels.slice(1).forEach((level, index) => assert.ok(level <= levels[index] + 1, `h${levels[index]}, then h${level}`));
    assert.equal(await page.locator('main').count(), 1);
}));
