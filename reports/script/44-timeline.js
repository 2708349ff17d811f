'use strict';
/* The charts over time, one below the other on one axis, with one pointer and one readout. */
(loadline => {
    const { el } = loadline;
    const HEIGHT_PX = 98;
    const FIRST_PX = 140;
    const X_AXIS_PX = 20;
    const TICK_PX = 8; /* what dygraphs leaves beside the labels of an axis */
    const MANY = 10000;

    /* Left and right of the plots, the same in every chart. */
    function margins(width, two) {
        const axis = loadline.axisWidth(width) + TICK_PX;
        return { left: axis, right: two ? axis : 16 };
    }
    loadline.timeArea = (view, width) => {
        const { left, right } = margins(width, view.twoAxes);
        return { x: left, w: Math.max(1, width - left - right) };
    };

    function valueRange({ series, log, zero }, rows, axis) {
        const lists = series.map((one, k) => one.axis === axis ? rows.map(row => row[k + 1]) : []);
        const range = loadline.rangeOf(lists, log);
        if (zero || log)
            return range;
        const least = lists.flat().reduce((a, b) => b < a ? b : a, Infinity);
        return Number.isFinite(least) ? [least - 3, range[1] / 1.08 + 3] : range;
    }
    function yAxis(track, rows, axis) {
        const { logTicker, linearTicker } = loadline.ticks;
        const unit = track.series.find(series => series.axis === axis)?.unit || '';
        const label = value => loadline.short(value) + unit;
        return { logscale: Boolean(track.log), valueRange: valueRange(track, rows, axis),
            ticker: (track.log ? logTicker : linearTicker)(label) };
    }
    function xAxis(view, last, told) {
        const { timeTicker, linearTicker } = loadline.ticks;
        const ticker = view.current.name === 'time' ? timeTicker(told) : linearTicker(loadline.short);
        if (view.current.name !== 'time')
            told('');
        return { ticker, drawAxis: last };
    }

    function options(track, view, width, { first, last, told }) {
        const { right } = margins(width, view.twoAxes);
        const [low, high] = view.range;
        const area = loadline.timeArea(view, width);
        const two = track.series.some(({ axis }) => axis === 'y2');
        const file = loadline.decimate.rows(view.x, track.series.map(({ values }) => values), view.parts,
            low, high, area.w);
        const names = track.series.map((_, k) => `s${k}`);
        const axes = { x: xAxis(view, last, told), y: yAxis(track, file, 'y') };
        if (two)
            axes.y2 = yAxis(track, file, 'y2');
        return {
            file: file.length ? file : [[low, ...names.map(() => NaN)]], labels: ['x', ...names], axes,
            dateWindow: [low, high], rightGap: two ? 0 : right, xAxisHeight: last ? X_AXIS_PX : 0,
            drawPoints: file.length < area.w / 8, pointSize: 2, strokeWidth: 1,
            series: Object.fromEntries(track.series.map((series, k) => [names[k],
                { axis: series.axis, color: loadline.color(series.color), strokePattern: loadline.dash(k) }])),
            underlayCallback: (context, plot) =>
                loadline.drawMarks(context, plot, view, { first }),
        };
    }

    function sentence({ series }) {
        return series.map(({ name, values, format }) => {
            const known = loadline.decimate.summary(values);
            return `${loadline.t(name)}: ${loadline.t('least')} ${format(known.least)}, `
                + `${loadline.t('median')} ${format(known.median)}, ${loadline.t('greatest')} ${format(known.greatest)}`;
        }).join('; ');
    }
    /* Medians of long runs take a moment: after the painting. */
    function describe(chart, track, count) {
        const say = () => chart.setAttribute('aria-label', `${loadline.t('over time')}. ${sentence(track)}`);
        if (count <= MANY)
            say();
        else
            loadline.painted.then(() => (globalThis.requestIdleCallback || setTimeout)(say));
    }
    const KEYS = 'Keys: + and - zoom, arrows move, with shift they step through the values, 0 shows all.';

    function entries({ series }) {
        return series.map(({ name, color, axis }, k) => ({ color, dash: loadline.dash(k),
            name: loadline.t(name) + (axis === 'y2' ? ` ${loadline.t('(right)')}` : '') }));
    }
    function addTrack(stack, track, view, order) {
        const { first, last } = order;
        const legend = loadline.legend([...entries(track), ...first ? loadline.markEntries(view.result) : []]);
        const chart = el('div', { class: 'chart', role: 'img', tabindex: '0', 'data-track': track.id,
            'aria-description': loadline.t(KEYS) });
        /* In front of the pointer's line, which runs through all charts. */
        Object.assign(legend.node.style, { position: 'relative', zIndex: '1', background: 'var(--panel)' });
        stack.append(el('div', { class: 'track' }, legend.node, chart));
        const height = (first ? FIRST_PX : HEIGHT_PX) + (last ? X_AXIS_PX : 0);
        const plotted = loadline.plotIn(chart, height, width => options(track, view, width, order));
        view.onRange.push(plotted.redraw);
        view.onCursor.push(() => legend.show(view.cursor < 0 ? null
            : track.series.map(({ values, format }) => format(values[view.cursor]))));
        describe(chart, track, view.x.length);
    }

    function addRibbon(stack, view) {
        const canvas = el('canvas', { class: 'ribbon', 'aria-hidden': 'true' });
        const place = el('div', {}, canvas);
        const draw = width => {
            const context = loadline.sizeCanvas(canvas, width, loadline.RIBBON_PX);
            const area = { ...loadline.timeArea(view, width), y: 0, h: loadline.RIBBON_PX };
            loadline.drawRibbon(context, area, view);
        };
        stack.append(place);
        loadline.keepDrawn(place, draw);
        view.onRange.push(() => place.clientWidth && draw(place.clientWidth));
    }

    loadline.cursorLine = (parent, view) => {
        const line = el('div', { class: 'cursor', hidden: true });
        Object.assign(line.style, { position: 'absolute', top: '0', bottom: '0', width: '1px',
            pointerEvents: 'none', background: 'var(--muted)' });
        parent.append(line);
        const place = () => {
            const [low, high] = view.range;
            const x = view.cursor < 0 ? NaN : view.x[view.cursor];
            line.hidden = !(x >= low && x <= high);
            const area = loadline.timeArea(view, parent.clientWidth);
            if (!line.hidden)
                line.style.left = `${area.x + (x - low) / (high - low) * area.w}px`;
        };
        view.onCursor.push(place);
        view.onRange.push(place);
    };

    function readoutText(view, width) {
        const { cursor, x, result, current } = view;
        const part = view.partAt(x[cursor]);
        const pixel = (view.range[1] - view.range[0]) / loadline.timeArea(view, width).w;
        const time = loadline.clock(result.timeline.columns.start_s[cursor], view.axis('time').full[1]);
        return [current.name === 'time' ? time : `${time}, ${loadline.bytes(x[cursor] * 1e9)}`,
            part ? part.name : '', ...loadline.marksNear(view, x[cursor], pixel)].filter(Boolean).join(' \u00b7 ');
    }
    function readout(stack, view) {
        const hint = loadline.t('Point to read values, drag to zoom, double-click for all.');
        const node = el('div', { class: 'readout note', 'aria-live': 'off' }, hint);
        Object.assign(node.style, { position: 'sticky', top: '0', zIndex: '2', background: 'var(--panel)',
            minHeight: '1.6em', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis',
            fontVariantNumeric: 'tabular-nums' });
        view.onCursor.push(() => {
            node.textContent = view.cursor < 0 ? hint : readoutText(view, stack.clientWidth);
        });
        stack.addEventListener('keydown', () => node.setAttribute('aria-live', 'polite'));
        stack.addEventListener('pointermove', () => node.setAttribute('aria-live', 'off'));
        return node;
    }

    /* The samples in the range that is shown, as many as the table takes. */
    function table(tracks, view) {
        const { start_s: start } = view.result.timeline.columns;
        const shown = [];
        for (const { first, count } of view.parts)
            for (let i = first; i < first + count; i++)
                if (view.x[i] >= view.range[0] && view.x[i] <= view.range[1])
                    shown.push(i);
        const every = Math.ceil(shown.length / 500);
        const series = tracks.flatMap(track => track.series);
        return {
            columns: [{ name: 'time', unit: 's', format: value => loadline.fixed(value, 1) }, { name: 'phase' },
                ...series.map(({ name, unit }) => ({ name, unit }))],
            rows: shown.filter((_, k) => k % every === 0).map(i =>
                [start[i], view.partAt(view.x[i])?.name ?? '-', ...series.map(({ values }) => values[i])]),
            total: shown.length,
        };
    }

    function note({ timeline: { merged } }) {
        return merged > 1 ? `Each value is of ${merged} neighbouring samples, joined to one.` : null;
    }
    function add(result, section) {
        if (!result.timeline || result.timeline.count === 0)
            return;
        const view = loadline.view(result);
        view.forget(); /* of charts that were there before, in another language */
        const tracks = loadline.tracks(result);
        view.twoAxes = tracks.some(({ series }) => series.some(({ axis }) => axis === 'y2'));
        const { figure, plot, steer } = loadline.panel(section, { id: 'timeline', title: 'Over time',
            note: note(result), table: () => table(tracks, view) });
        figure.classList.add('wide');
        plot.setAttribute('role', 'group');
        steer(loadline.steerControls(view, `${figure.id}-axis`));
        const stack = el('div', { class: 'stack' });
        stack.style.position = 'relative';
        const unit = el('div', { class: 'axis-name x note' });
        plot.append(readout(stack, view), stack, unit);
        addRibbon(stack, view);
        tracks.forEach((track, index) => addTrack(stack, track, view, { first: index === 0,
            last: index === tracks.length - 1, told: name => { unit.textContent = loadline.axisLabel(view, name); } }));
        loadline.cursorLine(stack, view);
        loadline.steer(stack, view, () => loadline.timeArea(view, stack.clientWidth));
    }
    loadline.charts.push({ name: 'timeline', add });
})(globalThis.loadline);
