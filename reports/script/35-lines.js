'use strict';
/* A chart with numbers on both axes: lines, points, and ranges from low to high. */
(loadline => {
    const { el } = loadline;
    const HEIGHT_PX = 260;
    const MARKER_PX = 3.2;
    const CAP_PX = 3;

    const numeric = value => typeof value === 'number' ? value : NaN;
    const usable = (value, log) => Number.isFinite(value) && (!log || value > 0);

    /* A series as lists in the order of x; on a logarithmic axis only what has a place there. */
    function prepare(series, index, xLog, yLog) {
        const low = series.low || [];
        const high = series.high || [];
        const list = series.points
            .map(([x, y], k) => [numeric(x), numeric(y), numeric(low[k]), numeric(high[k])])
            .filter(([x]) => usable(x, xLog))
            .sort((a, b) => a[0] - b[0]);
        for (const point of list)
            if (!usable(point[1], yLog))
                point[1] = NaN;
        return { name: loadline.t(series.name), color: series.color || `s${index % 8}`, list,
            dash: series.dash === undefined ? loadline.dash(index) : series.dash,
            kind: series.kind || 'line', shape: index,
            ranged: list.some(point => Number.isFinite(point[2]) && Number.isFinite(point[3])) };
    }

    /* One row for each x that any series has; the k-th of equal x of one series meets the k-th of
     * another, so that a line may go straight up. null: this series has no point here. */
    function rowsOf(all, width, scale) {
        const rows = new Map();
        all.forEach(({ list }, index) => {
            let last = NaN;
            let copy = 0;
            for (const k of loadline.decimate.points(list, width, scale)) {
                const [x, y] = list[k];
                copy = x === last ? copy + 1 : 0;
                last = x;
                const key = `${x} ${copy}`;
                if (!rows.has(key))
                    rows.set(key, [x, ...all.map(() => null)]);
                rows.get(key)[index + 1] = y;
            }
        });
        return [...rows.values()].sort((a, b) => a[0] - b[0]);
    }

    function xRange(all, { log, from }) {
        const values = all.flatMap(({ list }) => [list[0], list[list.length - 1]])
            .filter(Boolean).map(([x]) => x);
        let low = Math.min(...values, from ?? Infinity);
        let high = Math.max(...values);
        if (low === high)
            [low, high] = log ? [low / 2, high * 2] : [low - 1, high + 1];
        if (log)
            return [low / (high / low) ** 0.02, high * (high / low) ** 0.02];
        return [low - 0.02 * (high - low), high + 0.02 * (high - low)];
    }

    /* Parts of a list without a hole between them. */
    function unbroken(list) {
        const parts = [[]];
        for (const point of list)
            if (point.every(Number.isFinite))
                parts[parts.length - 1].push(point);
            else
                parts.push([]);
        return parts;
    }
    function drawBand(context, graph, { list, color }) {
        context.fillStyle = loadline.fade(loadline.color(color), 0.15);
        for (const part of unbroken(list)) {
            context.beginPath();
            for (const [x, , , high] of part)
                context.lineTo(...graph.toDomCoords(x, high));
            for (const [x, , low] of part.reverse())
                context.lineTo(...graph.toDomCoords(x, low));
            context.fill();
        }
    }
    function drawBars(context, graph, { list, color }) {
        context.strokeStyle = loadline.fade(loadline.color(color), 0.8);
        context.lineWidth = 1;
        context.beginPath();
        for (const [x, , low, high] of list) {
            if (!Number.isFinite(low) || !Number.isFinite(high))
                continue;
            const [at, bottom] = graph.toDomCoords(x, low);
            const [, top] = graph.toDomCoords(x, high);
            for (const y of [bottom, top]) {
                context.moveTo(at - CAP_PX, y);
                context.lineTo(at + CAP_PX, y);
            }
            context.moveTo(at, bottom);
            context.lineTo(at, top);
        }
        context.stroke();
    }
    /* marks: [{ x or y, text, color }], thin lines across the chart. */
    function drawMark(context, area, graph, { x, y, text, color = 'muted' }) {
        context.strokeStyle = loadline.color(color);
        context.fillStyle = loadline.color(color);
        context.lineWidth = 1;
        context.setLineDash([2, 3]);
        context.beginPath();
        const across = y !== undefined;
        const at = Math.round(across ? graph.toDomYCoord(y) : graph.toDomXCoord(x)) + 0.5;
        context.moveTo(across ? area.x : at, across ? at : area.y);
        context.lineTo(across ? area.x + area.w : at, across ? at : area.y + area.h);
        context.stroke();
        context.setLineDash([]);
        if (!text)
            return;
        context.font = loadline.font(loadline.AXIS_FONT_PX);
        const left = across || at + 4 + context.measureText(text).width < area.x + area.w;
        context.textAlign = left ? 'left' : 'right';
        context.fillText(loadline.t(text), across ? area.x + 4 : at + (left ? 4 : -4),
            across ? at - 4 : area.y + loadline.AXIS_FONT_PX);
    }
    function underlay(all, marks) {
        return (context, area, graph) => {
            for (const series of all.filter(({ ranged }) => ranged))
                (series.kind === 'line' ? drawBand : drawBars)(context, graph, series);
            for (const mark of marks)
                drawMark(context, area, graph, mark);
        };
    }

    function seriesOptions(series) {
        const drawn = series.kind !== 'line';
        const marker = (graph, name, context, x, y, color) => {
            context.fillStyle = color;
            loadline.drawMarker(context, series.shape, x, y, MARKER_PX);
        };
        return { color: loadline.color(series.color), strokePattern: series.dash, drawPoints: drawn,
            strokeWidth: series.kind === 'points' ? 0 : 1.5, pointSize: MARKER_PX + 1,
            drawPointCallback: marker };
    }
    function axis({ log, ticks, format }) {
        const label = format || loadline.short;
        const { fixedTicker, logTicker, linearTicker } = loadline.ticks;
        return { logscale: Boolean(log), axisLabelFormatter: label,
            ticker: ticks ? fixedTicker(ticks, label) : (log ? logTicker : linearTicker)(label) };
    }

    function options(all, spec, width) {
        const lists = all.flatMap(({ list }) => [1, 2, 3].map(k => list.map(point => point[k])));
        const scale = spec.x.log ? Math.log : undefined;
        const axisWidth = loadline.axisWidth(width);
        const names = all.map((_, index) => `s${index}`);
        return {
            file: rowsOf(all, width - axisWidth, scale), labels: ['x', ...names], rightGap: 24,
            series: Object.fromEntries(all.map((series, k) => [names[k], seriesOptions(series)])),
            dateWindow: xRange(all, spec.x), valueRange: spec.y.range || loadline.rangeOf(lists, spec.y.log),
            axes: { x: axis(spec.x), y: axis(spec.y) }, underlayCallback: underlay(all, spec.marks || []),
        };
    }

    /* The nearest point of each series to the pointer's x, as texts for the legend. */
    function nearest({ list }, x, log) {
        const distance = value => log ? Math.abs(Math.log(value / x)) : Math.abs(value - x);
        let best = null;
        for (const point of list)
            if (!Number.isNaN(point[1]) && (!best || distance(point[0]) < distance(best[0])))
                best = point;
        return best;
    }
    function follow(chart, plotted, all, spec, legend, place) {
        const format = spec.y.format || loadline.number;
        chart.addEventListener('pointermove', event => {
            const graph = plotted.graph();
            if (!graph)
                return;
            const x = graph.toDataXCoord(event.clientX - chart.getBoundingClientRect().left);
            const points = all.map(series => nearest(series, x, spec.x.log));
            const at = points.find(Boolean);
            legend.show(points.map(point => point ? format(point[1]) : '-'));
            place.textContent = at ? (spec.x.format || loadline.number)(at[0]) : '';
        });
        chart.addEventListener('pointerleave', () => {
            legend.show(null);
            place.textContent = '';
        });
    }

    function sentence(all, spec) {
        const format = spec.y.format || loadline.number;
        const part = ({ name, list }) => {
            const known = loadline.decimate.summary(list.map(point => point[1]));
            return known && `${name}: ${loadline.t('least')} ${format(known.least)}, ${loadline.t('median')} `
                + `${format(known.median)}, ${loadline.t('greatest')} ${format(known.greatest)}`;
        };
        return `${loadline.t(spec.y.label)} / ${loadline.t(spec.x.label)}. `
            + all.map(part).filter(Boolean).join('; ');
    }

    /* spec: see README.md; also x and y: { ticks: [..], format(value), range }, x.from, marks, height.
     * A series' low and high are lists beside its points. Returns { redraw }. */
    loadline.lines = (plot, spec) => {
        const all = spec.series.map((series, index) => prepare(series, index, spec.x.log, spec.y.log))
            .filter(({ list }) => list.some(point => Number.isFinite(point[1])));
        if (all.length === 0) {
            plot.append(el('p', { class: 'note' }, loadline.t('not measured')));
            return { redraw() {} };
        }
        const legend = loadline.legend(all);
        const place = el('span', { class: 'value n' });
        const chart = el('div', { class: 'chart' });
        plot.append(el('div', { class: 'axis-name y' }, loadline.t(spec.y.label)), legend.node, chart,
            el('div', { class: 'axis-name x' }, loadline.t(spec.x.label), ' ', place));
        if (plot.getAttribute('role') === 'img')
            plot.setAttribute('aria-label', `${plot.getAttribute('aria-label')}. ${sentence(all, spec)}`);
        const plotted = loadline.plotIn(chart, spec.height || HEIGHT_PX,
            width => options(all, spec, width));
        follow(chart, plotted, all, spec, legend, place);
        return { redraw: plotted.redraw };
    };
})(globalThis.loadline);
