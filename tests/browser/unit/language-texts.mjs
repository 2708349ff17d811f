/* What the language tests read: the script outside a browser, and the texts of pages and golden files. */
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const read = name => fs.readFileSync(path.join(root, name), 'utf8');

/* loadline as 05-language.js leaves it, with the catalogue, without a document. */
export function openLanguage() {
    const context = vm.createContext({ navigator: { language: 'en-GB', languages: ['en-GB'] }, Intl });
    vm.runInContext("globalThis.loadline = { lang: 'en', charts: [] };", context);
    vm.runInContext(read('reports/script/05-language.js'), context);
    const { loadline } = context;
    loadline.catalog = loadline.language.readCatalog(read('reports/ja.txt'));
    loadline.translator = new loadline.language.Translator(loadline.catalog);
    return loadline;
}

/* ---- pages ---- */

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescape = text => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]);
const plain = text => unescape(text.replace(/<[^>]*>/g, '')).trim().replace(/\s+/g, ' ');

const KINDS = [
    ['heading', /<h[23][^>]*>(.*?)<\/h[23]>/gs], ['heading', /<caption>(.*?)<\/caption>/gs],
    ['heading', /<th\b[^>]*>(.*?)<\/th>/gs], ['label', /<dt>(.*?)<\/dt>/gs],
    ['label', /<b class="label">(.*?)<\/b>/gs],
    ['sentence', /<span>(.*?)<\/span>/gs], ['sentence', /<p class="note">(.*?)<\/p>/gs],
    ['fact', /<dd>(.*?)<\/dd>/gs], ['cell', /<td>(.*?)<\/td>/gs],
];
/* [{ kind, text }] of what the program wrote into a page. */
export function textsOfPage(html) {
    return KINDS.flatMap(([kind, tag]) => [...html.matchAll(tag)].map(([, text]) => ({ kind, text: plain(text) })))
        .filter(({ text }) => text);
}

/* ---- golden texts ---- */

const HEADS = 'VERDICT|PARTIAL|FAILED|SCALING|CEILING|STEADY|BURST|cost|flushes|lasting|level|verified|smart|settle|'
    + 'ended|foreign|warning|event|note|sharing|1 stream|fail-if|left out';
const WIDTH = 120;
/* Findings and facts of a text report of that width: { kind, text } as of a page. */
export function textsOfGolden(text) {
    const known = new RegExp(`^(?:${HEADS})$`);
    const all = [];
    let open = null;
    let last = '';
    const add = entry => {
        all.push(entry);
        return entry;
    };
    /* Its first word had no room in the line before. */
    const goesOn = (line, before) => [...before].length + 1 + line.trim().split(' ')[0].length > WIDTH;
    for (const line of text.split('\n')) {
        const label = line.slice(0, 9).trim();
        const point = /^ {2}\S/.test(line) && line[11] === ' ' ? line.slice(2, 12).trim() : '';
        if (known.test(label) && line[0] !== ' ')
            open = add({ label, text: line.slice(label.length).trim(),
                indent: line.slice(label.length).search(/\S/) + label.length });
        else if (open && point && line[12] && line[12] !== ' ')
            open = add({ label: point, text: line.slice(12).trim(), indent: 12 });
        else if (open && line.startsWith(' '.repeat(open.indent)) && line[open.indent] !== ' ')
            open = goesOn(line, last) ? Object.assign(open, { text: `${open.text} ${line.trim()}` })
                : add({ label: '', text: line.trim(), indent: open.indent });
        else
            open = null;
        last = line;
    }
    return all.flatMap(({ label, text: sentence }) =>
        [{ kind: 'label', text: label }, { kind: 'sentence', text: sentence.trim() }])
        .filter(({ text: shown }) => shown);
}
