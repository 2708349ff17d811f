'use strict';
/* How commit latencies were spread at each moment: time to the right, latency upwards, and the darker
 * a place the more of the commits of that moment took so long. On the axis of the charts over time. */
(loadline => {
    const { el, svg } = loadline;
    const HEIGHT_PX = 200;
    const X_AXIS_PX = 22;
    const SHADES = 5;
    const STEPS = 1023; /* finer than the eye */

    /* The lowest bin, the number of bins, all commits, and the greatest share that a bin has. */
    function extent(columns) {
        let low = Infinity;
        let high = -1;
        let most = 0;
        let total = 0;
        for (const [, , first, counts] of columns) {
            const sum = counts.reduce((a, b) => a + b, 0);
            total += sum;
            counts.forEach((count, k) => {
                if (count === 0)
                    return;
                low = Math.min(low, first + k);
                high = Math.max(high, first + k);
                most = Math.max(most, count / sum);
            });
        }
        return high < 0 ? null : { low, bins: high - low + 1, most, total };
    }

    /* STEPS + 1 pixels from the lightest shade to the darkest. */
    function shades() {
        const stops = Array.from({ length: SHADES }, (_, k) =>
            loadline.color(`heat-${k}`).match(/[\d.]+/g).slice(0, 3).map(Number));
        const bytes = new Uint8ClampedArray(4 * (STEPS + 1));
        for (let step = 0; step <= STEPS; step++) {
            const at = step / STEPS * (SHADES - 1);
            const k = Math.min(SHADES - 2, Math.floor(at));
            const mixed = stops[k].map((value, channel) => value + (at - k) * (stops[k + 1][channel] - value));
            bytes.set([...mixed, 255], 4 * step);
        }
        return new Uint32Array(bytes.buffer);
    }

    /* Commits in each pixel column and bin; columns that share a pixel are added up. */
    function grid(heat, view, size, places) {
        const counts = new Float64Array(size.width * heat.bins);
        const totals = new Float64Array(size.width);
        const scale = size.width / (view.range[1] - view.range[0]);
        heat.columns.forEach(([, , first, list], index) => {
            const start = Math.floor((places[2 * index] - view.range[0]) * scale);
            const end = Math.max(start + 1, Math.floor((places[2 * index + 1] - view.range[0]) * scale));
            const sum = list.reduce((a, b) => a + b, 0);
            for (let x = Math.max(0, start); x < Math.min(size.width, end); x++) {
                totals[x] += sum;
                list.forEach((count, k) => { counts[x * heat.bins + first - heat.low + k] += count; });
            }
        });
        return { counts, totals };
    }
    function picture(heat, view, width, places) {
        const { counts, totals } = grid(heat, view, { width }, places);
        const canvas = el('canvas', { width, height: heat.bins });
        const context = canvas.getContext('2d');
        const image = context.createImageData(width, heat.bins);
        const pixels = new Uint32Array(image.data.buffer);
        const shade = shades();
        for (let x = 0; x < width; x++)
            for (let bin = 0; bin < heat.bins; bin++) {
                const count = counts[x * heat.bins + bin];
                if (count === 0)
                    continue;
                /* The root gives rare latencies their due. */
                const strength = Math.min(1, Math.sqrt(count / totals[x] / heat.most));
                pixels[(heat.bins - 1 - bin) * width + x] = shade[Math.round(strength * STEPS)];
            }
        context.putImageData(image, 0, 0);
        return canvas;
    }

    const edge = (heat, bin) => heat.least_ms * heat.ratio ** bin;
    function drawScales(context, heat, view, area, told) {
        context.font = loadline.font(loadline.AXIS_FONT_PX);
        context.fillStyle = loadline.color('muted');
        context.strokeStyle = loadline.color('grid');
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        const low = edge(heat, heat.low);
        const high = edge(heat, heat.low + heat.bins);
        for (const value of loadline.ticks.log(low, high, 6))
            context.fillText(loadline.short(value), area.x - 6, /* inside of the picture at its top, too */
                Math.max(6, area.h * (1 - Math.log(value / low) / Math.log(high / low))));
        const time = view.current.name === 'time';
        const most = Math.max(2, Math.floor(area.w / loadline.tickRoom(area.w)));
        const ticks = time ? loadline.ticks.time(...view.range, most)
            : { values: loadline.ticks.linear(...view.range, most), size: 1, unit: '' };
        told(ticks.unit);
        context.textAlign = 'center';
        for (const value of ticks.values)
            context.fillText(loadline.short(value / ticks.size), area.x
                + (value - view.range[0]) / (view.range[1] - view.range[0]) * area.w, area.h + 12);
        context.strokeRect(area.x - 0.5, 0, 0, area.h);
        context.strokeRect(area.x, area.h + 0.5, area.w, 0);
    }

    /* Begin and end of each column on the axis in use. */
    function placesOf(heat, view) {
        return heat.columns.flatMap(([start, end]) => [view.place(start), view.place(end)]);
    }
    function painter(canvas, heat, view, told) {
        let axis = null;
        let places = [];
        return width => {
            if (axis !== view.current) {
                axis = view.current;
                places = placesOf(heat, view);
            }
            const context = loadline.sizeCanvas(canvas, width, HEIGHT_PX + X_AXIS_PX);
            const area = { ...loadline.timeArea(view, width), h: HEIGHT_PX };
            const pixels = Math.round(area.w * (globalThis.devicePixelRatio || 1));
            context.imageSmoothingEnabled = false;
            context.drawImage(picture(heat, view, pixels, places), area.x, 0, area.w, area.h);
            drawScales(context, heat, view, area, told);
        };
    }

    function legend(heat) {
        const ramp = svg('svg', { width: 100, height: 12, viewBox: '0 0 100 12', 'aria-hidden': 'true' });
        for (let k = 0; k < SHADES; k++) {
            const box = svg('rect', { x: 20 * k, y: 1, width: 20, height: 10 });
            box.style.fill = `var(--heat-${k})`;
            ramp.append(box);
        }
        const value = el('span', { class: 'value n' });
        const least = el('span', {}, loadline.t('rare'));
        least.style.flex = 'none';
        const node = el('div', { class: 'legend' },
            el('span', { class: 'entry' }, least, ramp,
                el('span', {}, loadline.t(`${loadline.percent(heat.most)} of a moment's commits`))), value);
        return { node, value };
    }

    /* What lies under the pointer, in words. */
    function underPointer(heat, view, event, canvas) {
        const box = canvas.getBoundingClientRect();
        const area = loadline.timeArea(view, box.width);
        const x = view.range[0] + (event.clientX - box.left - area.x) / area.w * (view.range[1] - view.range[0]);
        const bin = heat.low + Math.floor((1 - (event.clientY - box.top) / HEIGHT_PX) * heat.bins);
        const column = heat.columns.find(([start, end]) => x >= view.place(start) && x <= view.place(end));
        if (!column || bin < heat.low || bin >= heat.low + heat.bins)
            return '';
        const sum = column[3].reduce((a, b) => a + b, 0);
        const share = (column[3][bin - column[2]] || 0) / sum;
        return `${loadline.number(edge(heat, bin))}\u2013${loadline.number(edge(heat, bin + 1))} ms: `
            + loadline.percent(share);
    }

    function table(heat, view) {
        const row = ([start, end, first, counts]) => {
            const used = counts.map((count, k) => [count, edge(heat, first + k), edge(heat, first + k + 1)])
                .filter(([count]) => count > 0);
            const common = used.reduce((a, b) => b[0] > a[0] ? b : a, [0, NaN, NaN]);
            return [start, end, used.reduce((sum, [count]) => sum + count, 0), used[0]?.[1] ?? NaN,
                Math.sqrt(common[1] * common[2]), used[used.length - 1]?.[2] ?? NaN];
        };
        const format = value => loadline.fixed(value, 1);
        return {
            columns: [{ name: 'from', unit: 's', format }, { name: 'to', unit: 's', format }, { name: 'commits' },
                { name: 'least', unit: 'ms' }, { name: 'most frequent', unit: 'ms' }, { name: 'greatest', unit: 'ms' }],
            rows: heat.columns.filter(([start, end]) => view.place(end) >= view.range[0]
                && view.place(start) <= view.range[1]).map(row),
        };
    }
    function sentence(heat) {
        return `${loadline.number(heat.total)} ${loadline.t('commits')}, `
            + `${loadline.ms(edge(heat, heat.low))} \u2013 ${loadline.ms(edge(heat, heat.low + heat.bins))}`;
    }

    function add(result, section) {
        const size = result.heat && extent(result.heat.columns);
        if (!size)
            return;
        const heat = { ...result.heat, ...size };
        const view = loadline.view(result);
        const { figure, plot, describe } = loadline.panel(section, { id: 'heat', title: 'Commit latency over time (ms)',
            table: () => table(heat, view) });
        figure.classList.add('wide');
        plot.setAttribute('role', 'group');
        describe(sentence(heat));
        const { node, value } = legend(heat);
        const canvas = el('canvas', { class: 'heat chart', role: 'img', tabindex: '0',
            'aria-label': plot.getAttribute('aria-label') });
        const stack = el('div', { class: 'stack' }, canvas);
        stack.style.position = 'relative';
        const unit = el('div', { class: 'axis-name x note' });
        plot.append(node, stack, unit);
        const draw = painter(canvas, heat, view, name => { unit.textContent = loadline.axisLabel(view, name); });
        loadline.keepDrawn(stack, draw);
        view.onRange.push(() => stack.clientWidth && draw(stack.clientWidth));
        loadline.cursorLine(stack, view);
        loadline.steer(stack, view, () => loadline.timeArea(view, stack.clientWidth));
        stack.addEventListener('pointermove', event => { value.textContent = underPointer(heat, view, event, canvas); });
        stack.addEventListener('pointerleave', () => { value.textContent = ''; });
    }
    loadline.charts.push({ name: 'heat', add });
})(globalThis.loadline);
