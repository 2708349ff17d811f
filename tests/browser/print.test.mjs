/* The page on paper: all of it, black on white. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { folder, visit } from './lib/browser.mjs';

const MOST_PAGES = 40;

/* Without blanks: a line may break anywhere. */
const squeezed = text => text.normalize('NFKC').replace(/\s+/g, '');

/* { dark, light, coloured } of a picture as pdftoppm writes it (PPM, binary): shares of its pixels. */
function look(file) {
    const data = readFileSync(file);
    let from = 0;
    for (let lines = 0; lines < 3; from++)
        lines += data[from] === 10;
    let [dark, light, coloured] = [0, 0, 0];
    for (let i = from; i + 2 < data.length; i += 3) {
        const least = Math.min(data[i], data[i + 1], data[i + 2]);
        const most = Math.max(data[i], data[i + 1], data[i + 2]);
        dark += most < 160;
        light += least > 250;
        coloured += most - least > 40;
    }
    const pixels = (data.length - from) / 3;
    return { dark: dark / pixels, light: light / pixels, coloured: coloured / pixels };
}

/* What must be on paper, each as a list of words. */
function wanted() {
    const rows = [];
    for (const table of document.querySelectorAll('.tables table, .comparison table')) {
        const last = [...table.querySelectorAll('tbody tr')].pop();
        rows.push(...[...last?.cells ?? []].map(cell => cell.textContent));
    }
    const all = selector => [...document.querySelectorAll(selector)]
        .filter(one => one.getBoundingClientRect().width > 2).map(one => one.textContent);
    return { rows, findings: all('.finding > span'), captions: all('figcaption h3'), tables: all('.tables caption'),
        headings: all('main h2') };
}

async function printed(name, options, check) {
    const place = mkdtempSync(`${folder}/print-`);
    try {
        await visit(name, options, async page => {
            const pdf = `${place}/page.pdf`;
            const before = await page.evaluate(() => document.querySelector('main').innerText);
            const texts = await page.evaluate(wanted);
            await page.pdf({ path: pdf, format: 'A4', preferCSSPageSize: true });
            const text = execFileSync('pdftotext', ['-raw', pdf, '-'], { encoding: 'utf8', maxBuffer: 1 << 26 });
            execFileSync('pdftoppm', ['-r', '40', pdf, `${place}/p`]);
            const pictures = readdirSync(place).filter(file => file.endsWith('.ppm')).sort()
                .map(file => look(`${place}/${file}`));
            check({ text: squeezed(text), texts, pictures });
            assert.equal(await page.evaluate(() => document.querySelector('main').innerText), before,
                'the page is afterwards as it was');
        });
    } finally {
        rmSync(place, { recursive: true });
    }
}

function assertWhole({ text, texts, pictures }) {
    const parts = list => list.flatMap(one => one.split(/\s+/)).map(squeezed).filter(Boolean);
    for (const [kind, list] of Object.entries(texts)) {
        const missing = parts(list).filter(word => !text.includes(word));
        assert.deepEqual(missing, [], `${kind} that are not on paper`);
    }
    assert.ok(pictures.length >= 1 && pictures.length <= MOST_PAGES, `${pictures.length} pages`);
    pictures.forEach(({ dark, light }, index) => {
        assert.ok(dark > 0.0005, `page ${index + 1} is not blank`);
        assert.ok(light > 0.5, `page ${index + 1} is black on white`);
    });
}

for (const [name, options] of [['one', {}], ['one', { dark: true }], ['forty', {}], ['postgres', { width: 400 }],
    ['compare', {}], ['three', {}], ['japanese', {}], ['longest', {}]])
    test(`${name} ${JSON.stringify(options)}: whole on paper`, () => printed(name, options, assertWhole));

test('charts are printed in colour', () => printed('one', {}, ({ pictures, texts }) => {
    assert.ok(texts.captions.length > 2);
    const all = pictures.reduce((sum, { coloured }) => sum + coloured, 0);
    assert.ok(all > 0.005, `${(100 * all).toFixed(2)}% of a page has a colour`);
}));
