/* One browser for a file of tests, and pages that are watched while they are open: what goes wrong in
 * any of them fails the test that opened it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';

export const folder = process.env.LOADLINE_BROWSER;
const { chromium } = createRequire(`${folder}/package.json`)('playwright-core');

/* It must ask nobody anything by itself. */
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars'];
const PATIENCE_MS = 120000; /* of a busy machine */
const OURS = /willReadFrequently/; /* these tests read pixels, the page does not */

let browser = null;
export async function launch() {
    return chromium.launch({ executablePath: process.env.LOADLINE_CHROMIUM || '/usr/bin/chromium', args: FLAGS,
        ignoreDefaultArgs: ['--headless', '--hide-scrollbars'], timeout: PATIENCE_MS });
}
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

export const pageUrl = (name, hash = '') => pathToFileURL(`${folder}/pages/${name}.html`).href + hash;
export const resultText = name => readFileSync(`${folder}/results/${name}.jsonl`, 'utf8');
export const keepFile = (name, data) => writeFileSync(`${folder}/${name}`, data);

async function watch(context, page, url, problems) {
    await context.route('**/*', route => {
        if (route.request().url().split('#')[0] === url)
            return route.continue();
        problems.push(`request: ${route.request().url().slice(0, 200)}`);
        return route.abort();
    });
    page.on('websocket', socket => problems.push(`websocket: ${socket.url()}`));
    page.on('console', message => {
        if (['error', 'warning'].includes(message.type()) && !OURS.test(message.text()))
            problems.push(`console ${message.type()}: ${message.text().slice(0, 500)}`);
    });
    page.on('pageerror', error => problems.push(`page error: ${error.stack || error}`));
    page.on('dialog', dialog => {
        problems.push(`dialog: ${dialog.message()}`);
        dialog.dismiss();
    });
    page.on('popup', popup => problems.push(`popup: ${popup.url()}`));
    page.on('crash', () => problems.push('the page crashed'));
    await page.exposeFunction('violated', text => { problems.push(`policy: ${text}`); });
    await page.addInitScript(() => document.addEventListener('securitypolicyviolation', event =>
        window.violated(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`)));
}

export async function waitPainted(page) {
    await page.waitForSelector('html[data-painted]', { state: 'attached', timeout: PATIENCE_MS });
}

/* Opens what is folded. */
export async function unfold(page) {
    for (const details of await page.locator('details').all())
        if (!await details.evaluate(one => one.open))
            await details.locator('> summary').click();
}

/* Opens pages/NAME.html, runs act(page, problems) when it is painted, and asks that nothing went
 * wrong. options: width, height, dark, locale, hash, touch, script (false: none). */
export async function visit(name, options, act) {
    const { width = 1200, height = 900, dark = false, locale = 'en-US', hash = '', touch = false,
        script = true } = options;
    const context = await browser.newContext({ viewport: { width, height }, locale, hasTouch: touch,
        colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', javaScriptEnabled: script });
    const problems = [];
    try {
        const page = await context.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
        if (script)
            await watch(context, page, pageUrl(name), problems);
        await page.goto(pageUrl(name, hash), { timeout: PATIENCE_MS });
        if (script)
            await waitPainted(page);
        const value = await act(page, problems);
        assert.deepEqual(problems, [], `${name}: nothing goes wrong in the page`);
        return value;
    } finally {
        await context.close();
    }
}
