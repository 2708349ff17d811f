/* Long runs: few bytes, and painted in not much more time than short ones.  bench/page measures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from './lib/browser.mjs';
import { allPages, pageBytes } from './lib/pages.mjs';

const MOST_BYTES = 3e6;
const TIMES = 3;

async function paintedMs(name) {
    const times = [];
    for (let i = 0; i < TIMES; i++)
        times.push(await visit(name, {}, page =>
            page.evaluate(() => Number(document.documentElement.dataset.painted))));
    return Math.min(...times);
}

test('no page is larger than 3 MB', () => {
    for (const name of allPages)
        assert.ok(pageBytes(name) < MOST_BYTES, `${name}: ${pageBytes(name)} bytes`);
});

test('a thousand times the samples are no thousand times the wait', async () => {
    const [short, long, longest] = [await paintedMs('one'), await paintedMs('long'), await paintedMs('longest')];
    console.log(`painted after ${short} ms (82 intervals), ${long} ms (3,600), ${longest} ms (100,000)`);
    assert.ok(long < 10 * short, `3,600 samples: ${long} ms, a short run ${short} ms`);
    assert.ok(longest < 25 * short, `100,000 samples: ${longest} ms, a short run ${short} ms`);
});

test('100,000 samples can be zoomed without waiting', () => visit('longest', {}, async page => {
    const times = await page.evaluate(() => {
        const view = loadline.view(loadline.data.results[0]);
        const took = act => {
            const start = performance.now();
            act();
            return performance.now() - start;
        };
        const first = took(() => view.zoom(2));
        return { first, more: Array.from({ length: 6 }, () => took(() => view.zoom(2))) };
    });
    const painted = await page.evaluate(() => Number(document.documentElement.dataset.painted));
    assert.ok(Math.min(...times.more) < painted, `${times.more} ms a step, ${painted} ms for the page`);
}));
