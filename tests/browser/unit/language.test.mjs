/* The page's languages: what the program writes has its Japanese, and numbers the reader's form. */
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { openLanguage, root, textsOfGolden, textsOfPage } from './language-texts.mjs';

const SENTENCES_LEAST = 0.95;
const golden = path.join(root, 'tests/golden');
const named = ending => fs.readdirSync(golden).filter(name => name.endsWith(ending)).map(name => path.join(golden, name));
const translate = (() => {
    const { translator } = openLanguage();
    return text => translator.whole(text);
})();

/* What is missing of these texts: all of headings and labels must be there. */
function judge(texts, kinds) {
    for (const [kind, least] of Object.entries(kinds)) {
        const own = [...new Set(texts.filter(text => text.kind === kind).map(({ text }) => text))];
        const missing = own.filter(text => translate(text).missing.length > 0);
        assert.ok(own.length > 0, `no ${kind}`);
        assert.ok(own.length - missing.length >= least * own.length,
            `${kind}: ${missing.length} of ${own.length} have no Japanese:\n${missing.join('\n')}`);
    }
}

test('every line of the catalogue holds together', () => {
    const seen = new Set();
    for (const line of fs.readFileSync(path.join(root, 'reports/ja.txt'), 'utf8').split('\n')) {
        if (!line || line.startsWith('# '))
            continue;
        const [english, japanese, ...more] = line.split(' => ');
        assert.ok(english && japanese && more.length === 0, line);
        assert.ok(!seen.has(english), `twice: ${english}`);
        seen.add(english);
        const places = [...english.matchAll(/\{[nw]?(\d)\}/g)].map(m => m[1]);
        const used = [...japanese.matchAll(/\{(\d)\}/g)].map(m => m[1]);
        assert.deepStrictEqual(used.filter(name => !places.includes(name)), [], line);
        assert.deepStrictEqual(places.filter(name => !used.includes(name)), [], line);
    }
    assert.ok(seen.size > 800);
});

test('sentences and labels of every golden report', () => {
    const texts = named('.120.txt').flatMap(name => textsOfGolden(fs.readFileSync(name, 'utf8')));
    assert.ok(texts.length > 500);
    judge(texts, { label: 1, sentence: SENTENCES_LEAST });
});

test('headings, labels and sentences of the pages made of every golden log', t => {
    if (!process.env.LOADLINE) {
        t.skip('LOADLINE does not name the program');
        return;
    }
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'loadline-'));
    try {
        const texts = named('.jsonl').flatMap((log, index) => {
            const page = path.join(place, `${index}.html`);
            execFileSync(process.env.LOADLINE, ['report', log, '-o', page]);
            return textsOfPage(fs.readFileSync(page, 'utf8').replace(/<script[\s\S]*?<\/script>/g, ''));
        });
        judge(texts, { heading: 1, label: 1, sentence: SENTENCES_LEAST });
    } finally {
        fs.rmSync(place, { recursive: true });
    }
});

test('what the charts say', () => {
    const script = path.join(root, 'reports/script');
    const said = fs.readdirSync(script).filter(name => name !== '05-language.js').flatMap(name => {
        const text = fs.readFileSync(path.join(script, name), 'utf8').replace(/'\s*\n?\s*\+ '/g, '');
        const places = /(?:loadline\.t\(|\bt\(|title: |note: |label: |sayAll\()'((?:[^'\\\n]|\\.)*)'/g;
        return [...text.matchAll(places)].map(m => m[1].replace(/\\u([0-9a-f]{4})/g, (_, code) =>
            String.fromCharCode(parseInt(code, 16))).replace(/\\'/g, "'"));
    });
    assert.ok(said.length > 40);
    assert.deepStrictEqual(said.filter(text => translate(text).missing.length > 0), []);
});

test('sentences with known Japanese', () => {
    const known = {
        'knee at 10 streams: 12,200 flushed commits/s': '10 ストリームで飽和点：12,200 フラッシュ済みコミット/s',
        'insert, bulk: one more commit costs 3.09 writes in all (3.00-3.13), 1.09 flushes, 253 KiB; r 1.00':
            'insert、bulk：コミット 1 回の増加で書き込み計 3.09（3.00-3.13）、フラッシュ 1.09、253 KiB。r 1.00',
        '12,600-13,100 over 3 runs: too few to name a winner (6); not told apart from 30 streams':
            '3 回で 12,600-13,100：勝者を決めるには不足（6 回必要）。30 ストリームと区別できない',
        ['flush: 79% of the streams\' time waits for the WAL on nvme1n1: group commit 66% (LWLock:WALWrite), '
            + 'flush leader 13% (IO:WALSync); 0.660 ms a flush']:
            'フラッシュ：ストリームの時間の 79% が nvme1n1 の WAL 待ち：グループコミット 66%（LWLock:WALWrite）、'
            + 'フラッシュ担当 13%（IO:WALSync）。フラッシュ 1 回 0.660 ms',
        'No winner between A and B: settings, partial, verification, disturbed.':
            'A と B の間に勝者なし：設定、途中まで、検証、妨害。',
    };
    for (const [english, japanese] of Object.entries(known))
        assert.strictEqual(translate(english).text, japanese);
});

test('names stay as they are', () => {
    for (const name of ['/mnt/ディスク/試験 用', 'nvme0n1', 'sustained_v2.1', '\\x1b[31m', '12.5', '-'])
        assert.deepStrictEqual([translate(name).text, translate(name).missing.length], [name, 0]);
    assert.match(translate('WAL: 61% of the streams\' time waits for it to be written on nvme1n1').text, /nvme1n1/);
});

test('what has no Japanese stays English and says so', () => {
    const done = translate('nobody has ever written this before');
    assert.strictEqual(done.text, 'nobody has ever written this before');
    assert.strictEqual(done.missing.length, 1);
    const half = translate('nobody has written this; no cause seen');
    assert.strictEqual(half.text, 'nobody has written this。原因は見当たらない');
    assert.strictEqual(half.missing.length, 1);
});

test('numbers in the form of the reader, with the digits that they have', () => {
    const { localized } = openLanguage();
    const german = {
        '12,800': '12.800', '1.05': '1,05', '1.00': '1,00', '12,600-13,100': '12.600-13.100', '5.41k': '5,41k',
        'x1.05 commits': 'x1,05 commits', '(7,900/s)': '(7.900/s)', '3.09 writes (3.00-3.13)': '3,09 writes (3,00-3,13)',
        '3.6%': '3,6%', '<0.001': '<0,001', '-1.50': '-1,50', '12,800 コミット/s、p99 6.42 ms': '12.800 コミット/s、p99 6,42 ms',
    };
    for (const [english, expected] of Object.entries(german))
        assert.strictEqual(localized(english, 'de'), expected);
    for (const name of ['SQLite 3.40.1', 'PostgreSQL 15.18', 'PCIe 4.0 x4', '/mnt/1.5/a', 'v2.10', 'a_1.5', '3.40.1', '40',
        'sustained-1.5', 'file1.25'])
        assert.strictEqual(localized(name, 'de'), name);
    assert.strictEqual(localized('12,800.50', 'fr').replace(/\s/g, ' '), '12 800,50');
    assert.strictEqual(localized('1,234,567.80 of 1.05', 'en'), '1,234,567.80 of 1.05');
    assert.strictEqual(localized('1,234,567.80 of 1.05', 'ja'), '1,234,567.80 of 1.05');
});
