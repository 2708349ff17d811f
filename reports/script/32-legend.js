'use strict';
/* Which line is which: colour, and dashes or the marker's shape, so that colour is not alone; and
 * beside each name the value under the pointer, in a field of fixed width. */
(loadline => {
    const { el, svg } = loadline;
    const DASHES = [null, [7, 3], [2, 2], [9, 3, 2, 3], [5, 2], [12, 4], [1, 3], [7, 2, 2, 2, 2, 2]];
    const SIDES = [0, 4, 3, -4, -3];

    loadline.dash = index => DASHES[index % DASHES.length];

    /* Corners of marker `index` around (x, y); null: a circle. */
    function corners(index, x, y, radius) {
        const sides = SIDES[index % SIDES.length];
        if (sides === 0)
            return null;
        const count = Math.abs(sides);
        const turn = sides > 0 ? -Math.PI / 2 : count === 4 ? -Math.PI / 4 : Math.PI / 2;
        return Array.from({ length: count }, (_, k) => {
            const angle = turn + 2 * Math.PI * k / count;
            return [x + 1.2 * radius * Math.cos(angle), y + 1.2 * radius * Math.sin(angle)];
        });
    }
    loadline.drawMarker = (context, index, x, y, radius) => {
        const path = corners(index, x, y, radius);
        context.beginPath();
        if (path)
            path.forEach(([px, py], k) => k ? context.lineTo(px, py) : context.moveTo(px, py));
        else
            context.arc(x, y, radius, 0, 2 * Math.PI);
        context.closePath();
        context.fill();
    };

    function marker(index, color) {
        const path = corners(index, 12, 6, 3.2);
        const node = path ? svg('polygon', { points: path.map(point => point.join()).join(' ') })
            : svg('circle', { cx: 12, cy: 6, r: 3.2 });
        node.style.fill = color;
        return node;
    }
    function swatch({ color, dash, kind, shape }) {
        const picture = svg('svg', { width: 24, height: 12, viewBox: '0 0 24 12', 'aria-hidden': 'true' });
        const css = loadline.cssColor(color);
        if (kind === 'mark') {
            const line = svg('line', { x1: 12.5, y1: 0, x2: 12.5, y2: 12,
                'stroke-dasharray': dash ? dash.join(' ') : null });
            line.style.stroke = css;
            picture.append(line);
        } else if (kind !== 'points') {
            const line = svg('line', { x1: 0, y1: 6, x2: 24, y2: 6, 'stroke-width': 2,
                'stroke-dasharray': dash ? dash.join(' ') : null });
            line.style.stroke = css;
            picture.append(line);
        }
        if (kind === 'points' || kind === 'both')
            picture.append(marker(shape, css));
        return picture;
    }

    /* entries: { name, color, dash, kind, shape }; last those of kind "mark", which are upright and
     * have no value.  Returns { node, show(texts) }: one text each;
     * show(null) empties the fields, which keep their width. */
    loadline.legend = (entries, width = 7) => {
        const fields = entries.map(({ kind }) => {
            if (kind === 'mark')
                return null;
            const field = el('span', { class: 'value n' });
            field.style.minWidth = `${width}ch`;
            return field;
        });
        const node = el('div', { class: 'legend' }, entries.map((entry, index) =>
            el('span', { class: 'entry' }, swatch(entry), el('span', {}, entry.name), fields[index])));
        const show = texts => fields.filter(Boolean).forEach((field, index) => {
            field.textContent = texts ? texts[index] : '';
        });
        return { node, show };
    };
})(globalThis.loadline);
