'use strict';
/* The reader's language and the reader's form of numbers.
 *
 * The program writes English. A catalogue of patterns (ja.txt) turns what it wrote, and what the
 * charts say by loadline.t(), into Japanese; what has no pattern stays English and is marked so. The
 * original of every text is kept, so that one can switch back at once. */
(loadline => {
    const LANGUAGES = ['en', 'ja'];
    const DEEPEST = 6;
    const MARKS = { ' · ': ' · ', '; ': '。', ': ': '：', ', ': '、' };

    /* ---- the catalogue ---- */

    const NUMBER = '-?[<x]?\\d[\\d,]*(?:\\.\\d+)?(?:e[+-]?\\d+)?[kMGT]?';
    const KINDS = { n: `(${NUMBER})`, w: '(\\S+)', '': '(.+?)' };
    const PLACE = /\{([nw]?)(\d)\}/;
    const quote = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

    /* "{n1} streams" as something to match with: literal parts and places in turn. */
    function compile(english, japanese) {
        const parts = english.split(PLACE);
        const literals = parts.filter((_, index) => index % 3 === 0);
        const places = [];
        let source = '';
        for (let i = 0; i < parts.length; i += 3) {
            source += quote(parts[i]);
            if (i + 2 < parts.length) {
                source += KINDS[parts[i + 1]];
                places.push({ kind: parts[i + 1], name: parts[i + 2] });
            }
        }
        return {
            match: new RegExp(`^${source}$`), places, japanese,
            weight: literals.join('').length,
            longest: literals.reduce((a, b) => b.length > a.length ? b : a),
            joined: literals.some(literal => literal.includes('; ')),
        };
    }

    /* Lines "English pattern => 日本語"; {1} stands for anything, {n1} for a number, {w1} for a word. */
    function readCatalog(text) {
        const whole = new Map();
        const patterns = [];
        for (const line of text.split('\n')) {
            const at = line.indexOf(' => ');
            if (at < 0 || line.startsWith('# '))
                continue;
            const english = line.slice(0, at);
            const japanese = line.slice(at + 4).trimEnd();
            if (PLACE.test(english))
                patterns.push(compile(english, japanese));
            else
                whole.set(english, japanese);
        }
        patterns.sort((a, b) => b.weight - a.weight);
        return { whole, patterns };
    }

    /* ---- translation ---- */

    /* Splits at `mark`, but not between brackets. */
    function split(text, mark) {
        const parts = [];
        let depth = 0;
        let from = 0;
        for (let i = 0; i < text.length; i++) {
            if ('(['.includes(text[i]))
                depth++;
            else if (')]'.includes(text[i]))
                depth--;
            else if (depth === 0 && text.startsWith(mark, i)) {
                parts.push(text.slice(from, i));
                from = i + mark.length;
            }
        }
        parts.push(text.slice(from));
        return parts;
    }

    /* Nothing of it is language: numbers, units, versions, paths, options, keys. */
    const UNITS = /^(?:[kKMGT]i?B|ms|us|min|[A-Z]{2,6})$/;
    const isName = text => text.split(/[ ,;:()]+/).every(word =>
        !/[A-Za-z]{2}/.test(word) || UNITS.test(word) || /[\d/_=\\@]|^-|\w\.\w|[^\x00-\x7f]/.test(word));

    function isBalanced(text) {
        let depth = 0;
        for (const sign of text) {
            depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
            if (depth < 0)
                return false;
        }
        return depth === 0;
    }

    /* "insert of bulk, 8 streams: ...": what a finding is about. */
    const ABOUT = /^(?:insert|delete|churn|read|mixed)(?:,? [^:]*)?: /;
    const JAPANESE = '[\\u3000-\\u30ff\\u4e00-\\u9fff\\uff00-\\uff60]';
    const GAP = new RegExp(`(?<=${JAPANESE}) (?=${JAPANESE})`, 'g');

    class Translator {
        constructor(catalog) {
            this.catalog = catalog;
            this.known = new Map();
        }

        /* { text, missing: clauses without a translation } */
        whole(text, depth = 0) {
            if (!this.known.has(text))
                this.known.set(text, this.clause(text, depth));
            return this.known.get(text);
        }

        clause(text, depth) {
            const fixed = this.catalog.whole.get(text);
            if (fixed !== undefined)
                return { text: fixed, missing: [] };
            if (!/[A-Za-z]{2}/.test(text) || depth > DEEPEST)
                return { text, missing: [] };
            const sentences = text.split(/(?<=\.) (?=[A-Z])/);
            if (sentences.length > 1)
                return this.joined(sentences, '', depth) || { text, missing: [text] };
            return this.parts(text, ' · ', depth) || this.about(text, depth) || (text.includes('; ') && (this.byPattern(text, depth, true) || this.parts(text, '; ', depth)))
                || this.byPattern(text, depth, false) || (isName(text) && { text, missing: [] })
                || this.parts(text, ': ', depth)
                || this.parts(text, ', ', depth) || this.bracket(text, depth) || { text, missing: [text] };
        }

        about(text, depth) {
            const found = ABOUT.exec(text);
            if (!found)
                return null;
            const place = split(found[0].slice(0, -2), ', ')
                .map(part => /\d| of | as /.test(part) ? this.whole(part, depth + 1).text : part);
            const rest = this.whole(text.slice(found[0].length), depth + 1);
            return { ...rest, text: place.join('、') + MARKS[': '] + rest.text };
        }

        byPattern(text, depth, joined) {
            for (const pattern of this.catalog.patterns) {
                if (joined && !pattern.joined || !text.includes(pattern.longest))
                    continue;
                const found = pattern.match.exec(text);
                if (found && found.slice(1).every(isBalanced))
                    return this.filled(pattern, found, depth);
            }
            return null;
        }

        /* What stands in a place is translated if it can be, and else is taken for a name. */
        filled(pattern, found, depth) {
            const values = {};
            pattern.places.forEach(({ kind, name }, index) => {
                const value = found[index + 1];
                values[name] = kind === '' ? this.whole(value, depth + 1).text : value;
            });
            const text = pattern.japanese.replace(/\{(\d)\}/g, (_, name) => values[name] ?? '');
            return { text: text.replace(GAP, ''), missing: [] };
        }

        /* Only where a part of it can be translated. */
        joined(parts, mark, depth) {
            const done = parts.map(part => this.whole(part, depth + 1));
            if (done.every(({ missing }, index) => missing.length > 0 || isName(parts[index])))
                return null;
            return { text: done.map(part => part.text).join(mark), missing: done.flatMap(part => part.missing) };
        }

        parts(text, mark, depth) {
            let parts = split(text, mark);
            if (mark === ': ' && parts.length > 2)
                parts = [parts[0], parts.slice(1).join(mark)];
            return parts.length > 1 ? this.joined(parts, MARKS[mark], depth) : null;
        }

        /* "sentence (more)" */
        bracket(text, depth) {
            const found = /^(.+?) \((.+)\)$/.exec(text);
            if (!found)
                return null;
            const both = this.joined([found[1], found[2]], '\n', depth);
            return both && { ...both, text: `${both.text.replace('\n', '（')}）` };
        }
    }

    /* ---- numbers ---- */

    const NUMBERS = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+/g;
    const VERSIONED = /(?:PCIe|NVMe|SATA|SQLite|PostgreSQL|MariaDB|Linux|loadline|kernel|fw|version) $/i;

    /* Part of a name, a version, a path or a key is no number. */
    function standsAlone(before, after) {
        if (VERSIONED.test(before) || /[A-Za-z_/\\.#=:,]$/.test(before) && !/(?:^|[^A-Za-z])x$/.test(before))
            return false;
        if (before.endsWith('-') && !/(?:^|\d[kMGT]?%?|\s)-$/.test(before))
            return false;
        return !/^(?:[.,]\d|[A-Za-z_\\])/.test(after.replace(/^[kMGTx](?![A-Za-z0-9_])/, ''))
            && !/^\/(?!s\b)/.test(after);
    }

    /* One formatter for a locale: making one takes longer than all that we write. It writes the whole
     * part, as groups differ from place to place; digits after the sign are the same everywhere. */
    const LIKE_C = ['en', 'en-US', 'en-GB', 'ja', 'ja-JP'];
    const likeC = { whole: digits => digits.replace(/\B(?=(?:\d{3})+$)/g, ','), decimal: '.' };
    const forms = new Map();
    function formOf(locale) {
        if (LIKE_C.includes(locale))
            return likeC;
        if (!forms.has(locale)) {
            const format = new Intl.NumberFormat(locale, { numberingSystem: 'latn' });
            const decimal = format.formatToParts(0.5).find(part => part.type === 'decimal');
            forms.set(locale, { whole: digits => format.format(Number(digits)), decimal: decimal ? decimal.value : '.' });
        }
        return forms.get(locale);
    }
    /* "-1234.50" as `locale` writes it. */
    function formatted(digits, locale) {
        const { whole, decimal } = formOf(locale);
        const [start, rest] = digits.replaceAll(',', '').split('.');
        return rest === undefined ? whole(start) : whole(start) + decimal + rest;
    }
    /* The numbers of a text as `locale` writes them, each with the digits that it has. */
    function localized(text, locale) {
        return text.replace(NUMBERS, (digits, at) =>
            standsAlone(text.slice(0, at), text.slice(at + digits.length)) ? formatted(digits, locale) : digits);
    }

    /* ---- the page ---- */

    const originals = [];
    const OUTSIDE = 'script, style, svg, pre, summary, [translate="no"], #language, .charts, .comparison-charts';
    const FIGURE = /\d[\d.,\u00a0\u202f'’]*[kMG]?(?= (?:flushed )?(?:commits|rows|フラッシュ済みコミット|コミット|行))/;

    function entryOf(node, parent) {
        return {
            node, parent, text: node.data.trim().replace(/\s+/g, ' '),
            before: /^\s*/.exec(node.data)[0], after: /\s*$/.exec(node.data)[0],
            fact: parent.matches('dd') ? parent.previousElementSibling?.textContent : null,
        };
    }
    function collect(root) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode())
            if (/[^\s]/.test(node.data) && !node.parentElement.closest(OUTSIDE))
                originals.push(entryOf(node, node.parentElement));
    }

    function markHeadlines() {
        for (const { parent, text } of originals)
            if (text === 'VERDICT' && parent.matches('.finding > .label'))
                parent.parentElement.classList.add('headline');
    }

    /* Of the facts only those that hold no names of products. */
    const PLAIN_FACTS = ['settings', 'part', 'state', 'limit', 'retries'];
    const isNumeric = ({ parent, fact }) => fact ? PLAIN_FACTS.includes(fact)
        : parent.matches('td.n, .finding span, p.note, caption, h3');
    /* The verdict's number stands out. */
    function setHeadline(entry, text) {
        const found = FIGURE.exec(text);
        const parts = found ? [text.slice(0, found.index), found[0], text.slice(found.index + found[0].length)]
            : [text, '', ''];
        const figure = document.createElement('strong');
        figure.className = 'figure';
        figure.textContent = parts[1];
        entry.parent.replaceChildren(parts[0], ...found ? [figure] : [], parts[2]);
    }
    function write(node, text) {
        if (node.data !== text) /* what stays is not laid out anew */
            node.data = text;
    }
    function show(entry) {
        const { parent, node } = entry;
        const done = loadline.lang === 'ja' ? translator().whole(entry.text) : { text: entry.text, missing: [] };
        const text = isNumeric(entry) ? localized(done.text, loadline.locale) : done.text;
        if (parent.matches('td.n') && text !== entry.text)
            parent.dataset.value = entry.text;
        if (parent.matches('.headline > span'))
            setHeadline(entry, text);
        else
            write(node, entry.before + text + entry.after);
        if (done.missing.length > 0 && done.text === entry.text && !parent.matches('dd'))
            parent.lang = 'en';
        else if (parent !== document.documentElement)
            parent.removeAttribute('lang');
    }

    function paintAnew() {
        const articles = [...document.querySelectorAll('article.result')];
        articles.forEach((article, index) => {
            const section = article.querySelector('section.charts');
            const result = loadline.data?.results[index];
            if (!section || !result || !section.firstChild)
                return;
            section.replaceChildren();
            loadline.drawTogether(() => loadline.charts.forEach(chart => {
                try {
                    chart.add(result, section);
                } catch (error) {
                    loadline.failedPanel(section, chart.name, error);
                }
            }), loadline.failedPlace);
        });
    }

    function setLanguage(lang) {
        loadline.lang = lang;
        document.documentElement.lang = lang;
        originals.forEach(show);
    }
    function choose(lang) {
        if (!LANGUAGES.includes(lang) || lang === loadline.lang)
            return;
        history.replaceState(null, '', `#lang=${lang}`);
        document.getElementById('language').value = lang;
        setLanguage(lang);
        paintAnew();
    }

    const asked = () => /(?:^#|&)lang=(\w+)/.exec(location.hash)?.[1];
    function wanted(root) {
        const list = [asked(), root.dataset.lang, ...navigator.languages];
        return list.map(lang => String(lang).slice(0, 2)).find(lang => LANGUAGES.includes(lang)) || 'en';
    }
    /* Made when it is needed: an English page needs none. */
    function translator() {
        if (!loadline.translator)
            loadline.translator = new Translator(readCatalog(document.getElementById('catalog').textContent));
        return loadline.translator;
    }
    function start() {
        const select = document.getElementById('language');
        for (const root of document.querySelectorAll('body > .skip, body > header, main, body > footer'))
            collect(root);
        markHeadlines();
        setLanguage(wanted(document.documentElement));
        select.value = loadline.lang;
        select.closest('[hidden]')?.removeAttribute('hidden');
        select.addEventListener('change', () => choose(select.value));
        addEventListener('hashchange', () => choose(asked()));
    }

    loadline.locale = globalThis.navigator?.language || 'en';
    loadline.localized = localized;
    loadline.formatted = formatted;
    loadline.language = { readCatalog, Translator };
    loadline.t = text => loadline.lang === 'ja' ? translator().whole(text).text : text;
    if (globalThis.document?.getElementById?.('catalog'))
        start();
})(globalThis.loadline);
