'use strict';
/* Two factors against each other: a table whose cells are shaded by their number. */
(loadline => {
    const { isKnown, metric } = loadline.find;
    const { el } = loadline;
    const METRICS = [
        { name: 'commits_per_s', label: 'commits/s', field: 'commits_per_s' },
        { name: 'rows_per_s', label: 'rows/s', field: 'rows_per_s' },
        { name: 'p99_ms', label: 'p99, ms', field: 'p99_ms' },
        { name: 'p50_ms', label: 'p50, ms', field: 'p50_ms' },
    ];
    /* OKLCH: even steps of lightness are even steps to the eye. On dark paper the ramp runs upward. */
    const RAMP = { light: [0.97, 0.42], dark: [0.26, 0.85], chroma: [0.015, 0.12], hue: 255 };

    const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);
    const textOf = value => Array.isArray(value) ? value.join(' ') : String(value);
    /* All that a group is, part and phase among it. */
    const traits = ({ part, phase, factors }) => ({ phase, ...(part ? { part } : {}), ...(factors || {}) });

    /* { name, values } of each trait that has several values, values in the order of the plan or of
     * their size. */
    function varying(groups) {
        const all = groups.map(traits);
        const names = [...new Set(all.flatMap(Object.keys))];
        return names.map(name => {
            const values = [...new Map(all.filter(one => has(one, name))
                .map(one => [textOf(one[name]), one[name]])).values()];
            if (values.every(isKnown))
                values.sort((a, b) => a - b);
            return { name, values };
        }).filter(({ values }) => values.length > 1);
    }
    /* The group at a crossing; -1: none was measured there. */
    function find(groups, wanted) {
        return groups.findIndex(group => {
            const own = traits(group);
            return Object.entries(wanted).every(([name, value]) =>
                has(own, name) && textOf(own[name]) === textOf(value));
        });
    }

    /* ---- shades ---- */

    function oklchToRgb(lightness, chroma, hue) {
        const a = chroma * Math.cos(hue * Math.PI / 180);
        const b = chroma * Math.sin(hue * Math.PI / 180);
        const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
        const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
        const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
        const linear = [
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
        return linear.map(value => {
            const clamped = Math.min(1, Math.max(0, value));
            const gamma = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
            return Math.round(255 * gamma);
        });
    }
    /* Of WCAG: relative luminance, and the contrast of two of them. */
    function luminance(rgb) {
        const [r, g, b] = rgb.map(value => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
    function contrast(one, other) {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    }
    /* One of pure black and white stands 4.5:1 on any ground; of softer ones neither might. */
    const INKS = [[0, 0, 0], [255, 255, 255]];
    /* The cell's ground and its ink for a share from 0 to 1 of the range. */
    function shade(share, dark) {
        const [from, to] = dark ? RAMP.dark : RAMP.light;
        const [pale, strong] = RAMP.chroma;
        const chroma = pale + (strong - pale) * Math.min(1, 2 * share) * (1 - 0.3 * share);
        const ground = oklchToRgb(from + share * (to - from), chroma, RAMP.hue);
        const [black, white] = INKS.map(ink => contrast(ground, ink));
        return { ground, ink: INKS[black >= white ? 0 : 1], contrast: Math.max(black, white) };
    }
    const css = rgb => `rgb(${rgb.join(', ')})`;
    const isDark = () => luminance(loadline.color('paper').match(/[\d.]+/g).slice(0, 3).map(Number)) < 0.2;

    /* ---- the table ---- */

    const heading = name => loadline.t(name.slice(name.lastIndexOf('.') + 1));
    function cell(value, [low, high], dark) {
        const node = el('td', { class: 'n' }, isKnown(value) ? loadline.number(value) : '-');
        if (isKnown(value)) {
            const { ground, ink } = shade(high > low ? (value - low) / (high - low) : 0.5, dark);
            node.style.backgroundColor = css(ground);
            node.style.color = css(ink);
        }
        return node;
    }
    function tableOf(model, dark) {
        const { down, across, value, range } = model;
        return el('table', { class: 'matrix' },
            el('caption', {}, model.metric, model.rest && el('span', { class: 'note' }, `, ${model.rest}`)),
            el('thead', {},
                el('tr', {}, el('th', { scope: 'col', rowspan: 2 }, heading(down.name)),
                    el('th', { scope: 'colgroup', colspan: across.values.length }, heading(across.name))),
                el('tr', {}, across.values.map(item => el('th', { scope: 'col', class: 'n' }, textOf(item))))),
            el('tbody', {}, down.values.map(row => el('tr', {},
                el('th', { scope: 'row' }, textOf(row)),
                across.values.map(column => cell(value(row, column), range, dark))))));
    }
    function rangeOf(values) {
        const known = values.filter(isKnown);
        return [Math.min(...known), Math.max(...known)];
    }
    function modelOf(result, factors, state) {
        const down = factors[state.down];
        const across = factors[state.across];
        const fixed = {};
        factors.forEach((factor, index) => {
            if (index !== state.down && index !== state.across)
                fixed[factor.name] = factor.values[state.fixed[index]];
        });
        const value = (row, column) => metric(result,
            find(result.groups, { ...fixed, [down.name]: row, [across.name]: column }), state.metric.field)[0];
        const all = down.values.flatMap(row => across.values.map(column => value(row, column)));
        const rest = Object.entries(fixed).map(([name, item]) => `${heading(name)} ${textOf(item)}`);
        return { down, across, value, range: rangeOf(all), all, metric: loadline.t(state.metric.label),
            rest: rest.join(', '), label: [loadline.t(state.metric.label), ...rest].join(', ') };
    }
    function sentence({ label, range, all, down, across }) {
        const known = all.filter(isKnown).length;
        if (known === 0)
            return `${label}: -`;
        return `${label}: ${down.values.length} \u00d7 ${across.values.length}, `
            + `${loadline.t('least')} ${loadline.number(range[0])}, `
            + `${loadline.t('greatest')} ${loadline.number(range[1])}`;
    }

    /* Of what is fixed the value that most groups have: a plan need not cross all with all. */
    function commonest(groups, { name, values }) {
        const counts = values.map(value => groups.filter(group => {
            const own = traits(group);
            return has(own, name) && textOf(own[name]) === textOf(value);
        }).length);
        return counts.indexOf(Math.max(...counts));
    }
    /* The two with the most values stand against each other first. */
    function firstTwo(factors) {
        const order = factors.map((_, index) => index).filter(index => factors[index].name !== 'phase')
            .sort((a, b) => factors[b].values.length - factors[a].values.length || a - b);
        const [one, other] = order.length > 1 ? order : factors.map((_, index) => index);
        return { down: Math.min(one, other), across: Math.max(one, other) };
    }
    function selectOf(label, names, first, chosen) {
        const select = el('select', { change: () => chosen(Number(select.value)) },
            names.map((name, index) => el('option', { value: String(index), selected: index === first }, name)));
        return el('label', {}, label, ' ', select);
    }
    function controls(factors, metrics, state, change) {
        const names = factors.map(factor => heading(factor.name));
        const list = [selectOf(loadline.t('Show'), metrics.map(one => loadline.t(one.label)),
            metrics.indexOf(state.metric), index => change({ metric: metrics[index] }))];
        if (factors.length > 2) {
            list.push(selectOf(loadline.t('Down'), names, state.down, index =>
                change({ down: index, across: index === state.across ? state.down : state.across })));
            list.push(selectOf(loadline.t('Across'), names, state.across, index =>
                change({ across: index, down: index === state.down ? state.across : state.down })));
        }
        factors.forEach((factor, index) => {
            if (index !== state.down && index !== state.across)
                list.push(selectOf(names[index], factor.values.map(textOf), state.fixed[index], value => {
                    state.fixed[index] = value;
                    change({});
                }));
        });
        return list;
    }

    function add(result, section) {
        const factors = varying(result.groups);
        if (factors.filter(({ name }) => name !== 'phase' && name !== 'part').length < 2)
            return;
        const metrics = METRICS.filter(({ field }) =>
            result.groups.some((_, index) => isKnown(metric(result, index, field)[0])));
        if (metrics.length === 0)
            return;
        const state = { ...firstTwo(factors), metric: metrics[0],
            fixed: factors.map(factor => commonest(result.groups, factor)) };
        const panel = loadline.panel(section, { id: 'matrix', title: 'Two factors against each other',
            note: 'Medians over the repeats; the stronger the shade, the larger the number.' });
        /* A table is read by itself, cell by cell: it is no picture. */
        panel.plot.removeAttribute('role');
        panel.plot.removeAttribute('aria-label');
        const steering = el('div', { class: 'matrix-controls' });
        panel.head.prepend(steering);
        const show = to => {
            Object.assign(state, to);
            const model = modelOf(result, factors, state);
            panel.figure.setAttribute('aria-label', sentence(model));
            steering.replaceChildren(...controls(factors, metrics, state, show));
            panel.plot.replaceChildren(el('div',
                { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': model.label },
                tableOf(model, isDark())));
        };
        show({});
        loadline.onTheme(() => panel.figure.isConnected && show({}));
    }

    loadline.matrix = { varying, find, commonest, shade, contrast, firstTwo };
    loadline.charts.push({ name: 'matrix', add });
})(globalThis.loadline);
