'use strict';
/* Which groups and findings belong together, and what they are called. */
(loadline => {
    const { el } = loadline;
    const MOST_FACTORS = 3; /* in a name */
    const isKnown = value => typeof value === 'number' && Number.isFinite(value);

    function sameFactors(one, other) {
        const keys = Object.keys(one);
        return keys.length === Object.keys(other).length
            && keys.every(key => JSON.stringify(one[key]) === JSON.stringify(other[key]));
    }
    const isOf = (finding, group) => finding.phase === group.phase
        && (finding.part ?? null) === (group.part ?? null) && sameFactors(finding.factors || {}, group.factors || {});
    /* The group of a finding; `more`: factors that the finding has taken out, as { streams: 10 }. */
    function groupOf(result, finding, more = {}) {
        const wanted = { ...finding, factors: { ...finding.factors, ...more } };
        return result.groups.findIndex(group => isOf(wanted, group));
    }
    const findings = (result, name) => result.analysis?.[name]?.findings || [];
    const matching = (result, name, finding) => findings(result, name).find(other => isOf(other, finding));

    /* Keys as they are written, without their section: they are names, in every language. */
    const plain = key => key.slice(key.lastIndexOf('.') + 1);
    function factorText(key, value) {
        if (key === 'streams')
            return value === 1 ? '1 stream' : `${value} streams`;
        if (key === 'rows_per_commit')
            return value === 1 ? '1 row/commit' : `${value} rows/commit`;
        return key === 'layout' ? String(value) : `${plain(key)} ${value}`;
    }
    /* "insert (bulk), 10 streams, page size 4096" */
    function placeText({ part, phase, factors = {} }) {
        const head = part ? `${phase} (${part})` : phase;
        return [head, ...Object.entries(factors).map(([key, value]) => factorText(key, value))].join(', ');
    }
    /* The value that most have; of equals the first. */
    function commonest(values) {
        const counts = new Map();
        for (const value of values)
            counts.set(value, (counts.get(value) || 0) + 1);
        return [...counts].reduce((best, one) => one[1] > best[1] ? one : best)[0];
    }
    /* Names of several places with no more than what tells them apart. Of many factors only those are
     * told that are not as in most of the places: a plan that turns one knob at a time reads so. */
    function namesOf(places) {
        const factors = places.map(place => place?.factors || {});
        const textAt = (index, key) => JSON.stringify(factors[index][key]);
        const keys = [...new Set(factors.flatMap(Object.keys))].filter(key =>
            new Set(factors.map((_, index) => textAt(index, key))).size > 1);
        const usual = keys.length > MOST_FACTORS
            ? new Map(keys.map(key => [key, commonest(factors.map((_, index) => textAt(index, key)))])) : new Map();
        return places.map((place, index) => place ? loadline.t(placeText({ ...place, factors: Object.fromEntries(
            keys.filter(key => key in factors[index] && usual.get(key) !== textAt(index, key))
                .map(key => [key, factors[index][key]])) })) : '-');
    }
    const groupNames = (result, indices) => namesOf(indices.map(index => result.groups[index]));
    const groupText = (result, index) => loadline.t(result.groups[index]?.name ?? '-');
    /* [median, low, high] of a metric; NaN where it is not known. */
    function metric(result, index, name) {
        const values = result.groups[index]?.metrics?.[name];
        const list = Array.isArray(values) ? values : [values];
        return [0, 1, 2].map(k => isKnown(list[k]) ? list[k] : NaN);
    }

    /* A select beside the caption; nothing where there is nothing to choose. chosen(value index). */
    function choose(panel, label, names, first, chosen) {
        if (names.length < 2)
            return null;
        const select = el('select', { change: () => chosen(Number(select.value)) },
            names.map((name, index) => el('option', { value: String(index), selected: index === first },
                loadline.t(name))));
        panel.head.prepend(el('label', {}, loadline.t(label), ' ', select));
        return select;
    }
    /* The sentences of a finding, as the report has them. */
    function sentences(finding) {
        const list = [...(finding.sentences || [])];
        if (finding.certainty)
            list.push(finding.certainty);
        return list.map(sentence => loadline.t(sentence));
    }
    /* A list below a chart that is written anew when another one is chosen. `which` of several: on
     * paper there is no list to choose from. */
    function say(place, lines, which) {
        place.replaceChildren(...lines.map((text, index) =>
            el('li', {}, index === 0 && which ? `${which}: ${text}` : text)));
    }
    const saying = panel => {
        const list = el('ul', { class: 'drawn-says' });
        panel.figure.append(list);
        return list;
    };
    /* "4,980-5,140"; nothing where it is not known. */
    const interval = (low, high) => isKnown(low) && isKnown(high)
        ? `${loadline.number(low)}\u2013${loadline.number(high)}` : '';

    /* At most `most` of them, evenly chosen and always the same; the first and the last are there. */
    function pick(count, most) {
        if (count <= most)
            return Array.from({ length: count }, (_, index) => index);
        return Array.from({ length: most }, (_, k) => Math.round(k * (count - 1) / (most - 1)));
    }
    function median(values) {
        const sorted = values.filter(isKnown).sort((a, b) => a - b);
        const half = sorted.length >> 1;
        if (sorted.length === 0)
            return NaN;
        return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    loadline.find = { isKnown, isOf, groupOf, findings, matching, factorText, placeText, namesOf, groupNames,
        groupText, metric, choose, sentences, say, saying, interval, pick, median, commonest };
})(globalThis.loadline);
