/* No page asks anybody anything, logs an error, breaks its own policy or lets a result do anything. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVIL } from './hostile.mjs';
import { unfold, visit } from './lib/browser.mjs';
import { allPages, hostilePages } from './lib/pages.mjs';

/* What stands in the document that no page of ours has. */
function strangers() {
    const found = [];
    if (window.injected !== undefined)
        found.push(`injected ${window.injected}`);
    const scripts = [...document.scripts].map(script => script.id || script.type || 'script').join();
    if (scripts !== 'catalog,data,script,script')
        found.push(`scripts: ${scripts}`);
    if (document.styleSheets.length !== 1)
        found.push(`${document.styleSheets.length} style sheets`);
    for (const element of document.querySelectorAll('img, iframe, object, embed, form, base, link, video, audio'))
        found.push(element.outerHTML.slice(0, 100));
    for (const element of document.querySelectorAll('*'))
        for (const { name, value } of element.attributes)
            if (name.startsWith('on') || (['href', 'src', 'action'].includes(name) && !value.startsWith('#')))
                found.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
    for (const heading of document.querySelectorAll('h1'))
        if (heading.textContent === 'evil')
            found.push('a heading of the result');
    return found;
}

async function useAll(page) {
    for (const button of await page.locator('figure button[aria-expanded]').all())
        if (await button.isVisible())
            await button.click();
    for (const chart of await page.locator('figure .plot').all())
        if (await chart.isVisible())
            await chart.hover();
    for (const lang of ['ja', 'en'])
        await page.locator('#language').selectOption(lang);
}

for (const name of allPages.filter(page => !hostilePages.includes(page)))
    test(`${name}: opens without a request, an error or a violation`, () => visit(name, {}, async page => {
        assert.deepEqual(await page.locator('[data-failed]').allInnerTexts(), []);
        assert.deepEqual(await page.evaluate(strangers), []);
    }));

for (const name of hostilePages)
    test(`${name}: stays harmless while it is used`, () => visit(name, {}, async page => {
        await unfold(page);
        await useAll(page);
        assert.deepEqual(await page.locator('[data-failed]').allInnerTexts(), []);
        assert.deepEqual(await page.evaluate(strangers), []);
    }));

test('texts of a result are shown as they are', () => visit('hostile-text', {}, async page => {
    const text = (await page.evaluate(() => document.querySelector('main').textContent)).replace(/\s+/g, ' ');
    for (const evil of [EVIL[0], EVIL[1], EVIL[2], EVIL[3]])
        assert.ok(text.includes(evil), `shows ${evil}`);
    assert.ok(text.includes(EVIL[5].slice(0, 30)), 'a result that names places of the template fills none');
    assert.ok(!text.replaceAll(/evil6 \S+ \S+ \S+ \S+/g, '').includes('{{'), 'no place of the template is left');
}));

test('the policy stops what would have been injected', () => visit('one', {}, async (page, problems) => {
    const reached = await page.evaluate(async () => {
        const done = [];
        const script = document.createElement('script');
        script.textContent = 'window.injected = 1';
        document.body.append(script);
        const handler = document.createElement('button');
        handler.setAttribute('onclick', 'window.injected = 2');
        document.body.append(handler);
        handler.click();
        const style = document.createElement('style');
        style.textContent = 'body { outline: 7px solid red }';
        document.head.append(style);
        setTimeout('window.injected = 3');
        setTimeout(() => { window.injected = new Function('return 4')(); });
        for (const [kind, ask] of [
            ['fetch', () => fetch('http://127.0.0.1:9/')],
            ['frame', () => new Promise((resolve, reject) => {
                const image = new Image();
                image.onload = resolve;
                image.onerror = reject;
                image.src = 'http://127.0.0.1:9/x.png';
            })],
        ])
            await ask().then(() => done.push(kind), () => {});
        await new Promise(resolve => setTimeout(resolve, 50));
        if (window.injected !== undefined)
            done.push(`script ${window.injected}`);
        if (getComputedStyle(document.body).outlineWidth === '7px')
            done.push('style');
        return done;
    });
    assert.deepEqual(reached, []);
    const violated = problems.filter(problem => problem.startsWith('policy: ')).join('\n');
    for (const directive of ['script-src-elem', 'script-src-attr', 'style-src-elem', 'connect-src', 'img-src', 'script-src '])
        assert.match(violated, new RegExp(directive));
    assert.deepEqual(problems.filter(problem => problem.startsWith('request')), [], 'none of it left the page');
    problems.length = 0;
}));

test('without a script everything but the charts is there', () => visit('one', { script: false }, async page => {
    const text = await page.locator('body').innerText();
    assert.match(text, /VERDICT/i);
    assert.match(text, /flushed commits\/s/);
    assert.match(text, /The charts need JavaScript/);
    assert.ok(await page.locator('.tables tbody tr').count() > 2);
}));
