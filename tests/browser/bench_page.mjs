/* bench_page.mjs TIMES PAGE GOAL_S...: opens each page TIMES times, each time in a new process of the
 * browser and then once more in the same, and prints the medians of the seconds from the opening
 * until everything is painted; the first is held against the goal, a goal of 0 is none.  Exits 1 when
 * a goal was missed. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { chromium } = createRequire(`${process.env.LOADLINE_BROWSER}/package.json`)('playwright-core');
const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function openOnce(page, file) {
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-painted]', { state: 'attached', timeout: 120000 });
    const { painted, charts } = await page.evaluate(() => ({
        painted: Number(document.documentElement.dataset.painted),
        charts: document.querySelectorAll('.chart canvas').length }));
    if (!(painted > 0) || charts === 0)
        throw new Error(`${file}: ${charts} charts, painted after ${painted} ms`);
    return painted / 1000;
}
/* [the first time, the second time] */
async function paintedSeconds(browser, file) {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
    try {
        const page = await context.newPage();
        return [await openOnce(page, file), await openOnce(page, file)];
    } finally {
        await context.close();
    }
}

const [, , times, ...pairs] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.LOADLINE_CHROMIUM || '/usr/bin/chromium',
    args: FLAGS, ignoreDefaultArgs: ['--headless'], timeout: 120000 });
let missed = false;
try {
    await paintedSeconds(browser, pairs[0]); /* the first of all starts what the others find started */
    for (let i = 0; i < pairs.length; i += 2) {
        const all = [];
        for (let k = 0; k < Number(times); k++)
            all.push(await paintedSeconds(browser, pairs[i]));
        const goal = Number(pairs[i + 1]);
        const found = median(all.map(([first]) => first));
        const again = median(all.map(([, second]) => second));
        missed ||= goal > 0 && found > goal;
        console.log(`${pairs[i].split('/').pop()}: painted after ${found.toFixed(2)} s`
            + ` (${all.map(([first]) => first.toFixed(2)).join(' ')})`
            + (goal > 0 ? `, goal ${goal} s: ${found <= goal ? 'met' : 'MISSED'}` : '') + `; once more ${again.toFixed(2)} s`);
    }
} finally {
    await browser.close();
}
process.exitCode = missed ? 1 : 0;
