'use strict';
/* The frame of charts that are drawn as SVG: axes with units, a grid, marks and what lies under the
 * pointer. Colours are the style's own properties, so that light and dark need no second drawing. */
(loadline => {
    const { el, svg } = loadline;
    const FONT_PX = 11;
    const WIDE_PX = 11; /* of a Chinese or Japanese character */
    const SLIM_PX = 6.2;
    const NEAR_PX = 28;
    const DEFAULT_HEIGHT = 260;

    /* From values to pixels; `log`: equal ratios are equally long. */
    function scale({ from, to, log }, start, end) {
        const at = log ? Math.log : value => value;
        const span = at(to) - at(from) || 1;
        return value => start + (at(value) - at(from)) / span * (end - start);
    }
    /* About how wide a text is: good enough for room, and the same in every browser. */
    function textWidth(text) {
        let width = 0;
        for (const letter of text)
            width += letter.codePointAt(0) > 0x2e7f ? WIDE_PX : SLIM_PX;
        return width;
    }
    function ticksOf(axis, pixels, each) {
        if (axis.ticks)
            return axis.ticks;
        const most = Math.max(2, Math.floor(pixels / each));
        return axis.log ? loadline.ticks.log(axis.from, axis.to, most)
            : loadline.ticks.linear(axis.from, axis.to, most);
    }
    /* Those of the ticks' labels that do not run into the one before. */
    function apart(ticks) {
        let end = -Infinity;
        return ticks.filter(({ at, text }) => {
            const half = textWidth(text) / 2 + 4;
            if (at - half < end)
                return false;
            end = at + half;
            return true;
        });
    }

    /* ---- pieces ---- */

    function paint(node, colors) {
        for (const [property, name] of Object.entries(colors))
            node.style[property] = name === 'none' || name.startsWith('url(') ? name
                : loadline.cssColor(name);
        return node;
    }
    function line(parent, points, color, attributes = {}) {
        const node = svg('polyline', { points: points.map(([x, y]) =>
            `${x.toFixed(1)},${y.toFixed(1)}`).join(' '), class: 'drawn-line', ...attributes });
        parent.append(paint(node, { stroke: color, fill: 'none' }));
        return node;
    }
    function rect(parent, x, y, width, height, color, attributes = {}) {
        const node = svg('rect', { x: x.toFixed(1), y: y.toFixed(1), width: Math.max(0, width).toFixed(1),
            height: Math.max(0, height).toFixed(1), ...attributes });
        parent.append(paint(node, { fill: color }));
        return node;
    }
    function text(parent, x, y, words, attributes = {}) {
        const node = svg('text', { x: x.toFixed(1), y: y.toFixed(1), class: 'drawn-text', ...attributes },
            words);
        parent.append(node);
        return node;
    }
    const SHAPES = {
        circle: r => `M ${-r} 0 A ${r} ${r} 0 1 1 ${r} 0 A ${r} ${r} 0 1 1 ${-r} 0 Z`,
        diamond: r => `M 0 ${-1.4 * r} L ${1.4 * r} 0 L 0 ${1.4 * r} L ${-1.4 * r} 0 Z`,
        square: r => `M ${-r} ${-r} H ${r} V ${r} H ${-r} Z`,
    };
    /* A point; `open`: only its outline, for what counts less. */
    function point(parent, x, y, color, { shape = 'circle', radius = 3.5, open = false } = {}) {
        const node = svg('path', { d: SHAPES[shape](radius), 'stroke-width': 1.5,
            transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
        parent.append(paint(node, { fill: open ? 'var(--panel)' : color, stroke: color }));
        return node;
    }
    /* An interval upright at x, with caps. */
    function whisker(parent, x, low, high, color) {
        const node = svg('path', { d: `M ${x - 4} ${low} h 8 M ${x - 4} ${high} h 8 M ${x} ${low} V ${high}`,
            'stroke-width': 1.25 });
        parent.append(paint(node, { stroke: color, fill: 'none' }));
    }
    /* A word beside a mark, kept inside the frame; a seam of paper keeps it legible on lines. */
    function note(parent, area, x, y, words, attributes = {}) {
        const width = textWidth(words);
        const left = x + 5 + width < area.right;
        const at = left ? x + 5 : Math.max(area.left + width, x - 5);
        return text(parent, at, y, words, { 'text-anchor': left ? 'start' : 'end',
            class: 'drawn-text drawn-note', ...attributes });
    }

    /* ---- axes ---- */

    function drawX(root, area, axis, ticks) {
        const lines = svg('g', { class: 'drawn-grid' });
        for (const { at } of ticks)
            lines.append(svg('line', { x1: at, x2: at, y1: area.bottom, y2: area.bottom + 4 }));
        root.append(lines);
        for (const { at, text: words } of apart(ticks)) {
            const inside = at + textWidth(words) / 2 <= area.width;
            text(root, inside ? at : area.width, area.bottom + 16, words, { 'text-anchor': inside ? 'middle' : 'end' });
        }
        text(root, area.right, area.bottom + 32, loadline.t(axis.label),
            { 'text-anchor': 'end', class: 'drawn-text drawn-name' });
    }
    function drawY(root, area, axis, ticks) {
        const lines = svg('g', { class: 'drawn-grid' });
        for (const { at } of ticks)
            lines.append(svg('line', { x1: area.left, x2: area.right, y1: at, y2: at }));
        root.append(lines);
        for (const { at, text: words } of ticks)
            text(root, area.left - 6, at + 4, words, { 'text-anchor': 'end' });
        text(root, 0, 11, loadline.t(axis.label), { class: 'drawn-text drawn-name' });
    }
    function labelled(axis, values, place) {
        const format = axis.format || loadline.short;
        return values.map(value => ({ at: place(value), text: format(value) }));
    }
    /* `round`: up to the next tick, so that the highest value has a line above it. */
    function rounded(axis, pixels) {
        const ticks = axis.round ? ticksOf(axis, pixels, 34) : [];
        if (ticks.length < 2)
            return axis;
        const last = ticks[ticks.length - 1];
        return last < axis.to ? { ...axis, to: last + (last - ticks[ticks.length - 2]) } : axis;
    }
    function layOut(root, width, height, { x, y: asked, beside }) {
        const top = 22;
        const bottom = height - 38;
        const y = rounded(asked, bottom - top);
        const yScale = scale(y, bottom, top);
        const yTicks = labelled(y, ticksOf(y, bottom - top, 34), yScale);
        const left = Math.ceil(Math.max(24, ...yTicks.map(tick => textWidth(tick.text) + 10)));
        const area = { left, right: width - (beside ?? 12), top, bottom, width, height };
        const xScale = scale(x, area.left, area.right);
        drawY(root, area, y, yTicks);
        drawX(root, area, x, labelled(x, ticksOf(x, area.right - area.left, 64), xScale));
        return { area, x: xScale, y: yScale };
    }

    /* ---- the pointer ---- */

    function follow(picture, readout, targets) {
        const ring = svg('circle', { r: 7, class: 'drawn-ring' });
        ring.style.display = 'none';
        picture.append(ring);
        const show = target => {
            ring.style.display = target ? '' : 'none';
            readout.textContent = target ? target.text : '';
            if (target) {
                ring.setAttribute('cx', target.x);
                ring.setAttribute('cy', target.y);
            }
        };
        picture.addEventListener('pointermove', event => {
            const box = picture.getBoundingClientRect();
            const x = event.clientX - box.left;
            const y = event.clientY - box.top;
            let best = null;
            let least = NEAR_PX;
            for (const target of targets) {
                const distance = Math.hypot(target.x - x, target.y - y);
                if (distance < least) {
                    best = target;
                    least = distance;
                }
            }
            show(best);
        });
        picture.addEventListener('pointerleave', () => show(null));
    }

    /* spec: { height, x, y, beside, paint }: `beside` is room right of the frame, in pixels; axes
     * { label, from, to, log, ticks, format, round }; paint(root, places) draws with places.x(value),
     * .y(value), .area and returns what the pointer finds: [{ x, y, text }] in pixels.
     * Returns { redraw(spec) }. */
    function frame(place, first) {
        let spec = first;
        const chart = el('div', { class: 'drawn' });
        const readout = el('p', { class: 'drawn-readout' });
        place.append(chart, readout);
        const draw = width => {
            const height = spec.height || DEFAULT_HEIGHT;
            const root = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
            const places = layOut(root, width, height, spec);
            follow(root, readout, spec.paint(root, places) || []);
            chart.replaceChildren(root);
        };
        loadline.keepDrawn(chart, draw);
        return {
            redraw(next) {
                spec = next;
                if (chart.clientWidth > 0)
                    draw(Math.floor(chart.clientWidth));
            },
        };
    }

    loadline.axis = { scale, apart, rounded, textWidth };
    loadline.pieces = { paint, line, rect, text, point, whisker, note, FONT_PX };
    loadline.frame = frame;
})(globalThis.loadline);
