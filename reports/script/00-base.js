'use strict';
/* What every other file stands on: making elements, the style's colours, and when to draw anew.
 *
 * Classes that the charts use, for the style: panel, plot, chart, legend, entry, value, axis-name,
 * controls, readout, cursor, selection, ribbon, heat, failed. */
globalThis.loadline = { lang: 'en', t: text => text, data: null, charts: [] };

(loadline => {
    const SVG = 'http://www.w3.org/2000/svg';

    /* Attributes by name, listeners as functions, and children: texts become text, never markup. */
    function fill(node, attributes, children) {
        for (const [name, value] of Object.entries(attributes)) {
            if (typeof value === 'function')
                node.addEventListener(name, value);
            else if (value !== undefined && value !== null && value !== false)
                node.setAttribute(name, value === true ? '' : value);
        }
        for (const child of children.flat())
            if (child !== null && child !== undefined && child !== false)
                node.append(child);
        return node;
    }
    loadline.el = (name, attributes = {}, ...children) =>
        fill(document.createElement(name), attributes, children);
    loadline.svg = (name, attributes = {}, ...children) =>
        fill(document.createElementNS(SVG, name), attributes, children);

    /* Plain colours are read as they stand; any other expression an element is asked for, which
     * makes the browser compute styles anew. */
    const colors = new Map();
    let probe = null;
    function resolve(expression) {
        if (!probe) {
            probe = loadline.el('span', { hidden: true });
            document.body.append(probe);
        }
        probe.style.color = '';
        probe.style.color = expression;
        return getComputedStyle(probe).color;
    }
    function resolved(name) {
        const own = property(name);
        const text = own ? getComputedStyle(document.documentElement).getPropertyValue(own).trim() : name;
        if (!/^#[0-9a-f]{6}$/i.test(text))
            return resolve(loadline.cssColor(name));
        return `rgb(${[1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16)).join(', ')})`;
    }
    /* The style's name for a colour: --c-commits, --grid; null: it has none. */
    const properties = new Map();
    function property(name) {
        if (!properties.has(name)) {
            const style = getComputedStyle(document.documentElement);
            properties.set(name, [`--c-${name}`, `--${name}`].find(own => style.getPropertyValue(own)) || null);
        }
        return properties.get(name);
    }
    /* A colour for the style itself, which follows light and dark without us. */
    loadline.cssColor = name => {
        const own = property(name);
        return own ? `var(${own}, currentColor)` : name;
    };
    /* The same as a canvas takes it; `name` may also be any CSS colour. */
    loadline.color = name => {
        if (!colors.has(name))
            colors.set(name, resolved(name));
        return colors.get(name);
    };
    loadline.fade = (color, alpha) => {
        const parts = color.match(/[\d.]+/g) || [0, 0, 0];
        return `rgba(${parts.slice(0, 3).join(', ')}, ${alpha * (parts[3] ?? 1)})`;
    };
    let family = null;
    loadline.font = size => {
        family ??= getComputedStyle(document.body).fontFamily;
        return `${size}px ${family}`;
    };

    /* Sharp on every screen; the context draws in CSS pixels. */
    loadline.sizeCanvas = (canvas, width, height) => {
        const ratio = globalThis.devicePixelRatio || 1;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, display: 'block' });
        const context = canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        return context;
    };

    const themeListeners = [];
    loadline.onTheme = listener => themeListeners.push(listener);
    loadline.themeChanged = () => {
        colors.clear();
        themeListeners.forEach(listener => listener());
    };
    function watchTheme() {
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', loadline.themeChanged);
        new MutationObserver(loadline.themeChanged).observe(document.documentElement,
            { attributes: true, attributeFilter: ['data-theme', 'class'] });
    }

    /* What is drawn is drawn anew when its place changes width, the colours change, or for paper. */
    const PAPER_WIDTH = 640; /* A4 without its margins and the frame of a figure, in CSS pixels */
    const drawn = new Map();
    let printing = false;
    let sizes = null;
    function resized(entries) {
        for (const { target, contentRect } of entries) {
            const entry = drawn.get(target);
            const width = Math.floor(contentRect.width);
            if (!entry || printing || width === 0 || width === entry.width)
                continue;
            entry.width = width;
            entry.draw(width);
        }
    }
    /* Charts that are gone, for another language, must not be kept by what watches them. */
    function purge() {
        for (const [place, entry] of drawn)
            if (!place.isConnected) {
                sizes.unobserve(place);
                drawn.delete(place);
                entry.gone();
            }
    }
    function begin({ place, draw, gone, width }) {
        drawn.set(place, { draw, width, gone });
        sizes.observe(place);
        if (width > 0)
            draw(width);
    }
    let held = null;
    /* Calls draw(width) now, or when what is held is released, if the place is shown, and whenever it
     * must be drawn anew. */
    loadline.keepDrawn = (place, draw, gone = () => {}) => {
        sizes = sizes || new ResizeObserver(resized);
        if (held) {
            held.push({ place, draw, gone });
            return;
        }
        purge();
        begin({ place, draw, gone, width: Math.floor(place.clientWidth) });
    };
    /* Whatever work() wants to be kept drawn is drawn after it: all widths are read first, so that the
     * browser lays out the page once and not for each chart. failed(place, error): one was not drawn. */
    loadline.drawTogether = (work, failed) => {
        held = [];
        try {
            work();
        } finally {
            const all = held.filter(({ place }) => place.isConnected);
            held = null;
            if (sizes)
                purge();
            for (const one of all)
                one.width = Math.floor(one.place.clientWidth);
            for (const one of all)
                try {
                    if (one.place.isConnected)
                        begin(one);
                } catch (error) {
                    failed(one.place, error);
                }
        }
    };
    function drawAll(widthOf) {
        purge();
        for (const [place, entry] of drawn)
            if (entry.width > 0)
                entry.draw(widthOf(entry, place));
    }
    /* Browsers that tell when the style of paper applies get a second drawing, in its colours and of
     * the true width. */
    function print(on) {
        printing = on;
        loadline.themeChanged();
        drawAll(entry => on ? Math.min(entry.width, PAPER_WIDTH) : entry.width);
    }
    function onPaper({ matches }) {
        if (!matches)
            return;
        loadline.themeChanged();
        drawAll((entry, place) => Math.floor(place.clientWidth) || entry.width);
    }

    loadline.watch = () => {
        watchTheme();
        loadline.onTheme(() => printing || drawAll(entry => entry.width));
        matchMedia('print').addEventListener('change', onPaper);
        addEventListener('beforeprint', () => print(true));
        addEventListener('afterprint', () => print(false));
    };
})(globalThis.loadline);
