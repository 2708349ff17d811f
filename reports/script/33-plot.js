'use strict';
/* dygraphs as all charts here use it: calm, without its own legend, titles and mouse. Texts of
 * results never reach it (it sets labels as markup): series are called s0, s1, ... */
(loadline => {
    const FONT_PX = 11;
    const NARROW_PX = 480;

    /* Only what we use: its legend also writes styles into attributes, which the page forbids. */
    function trim() {
        Dygraph.PLUGINS = [Dygraph.Plugins.Grid, Dygraph.Plugins.Axes];
    }

    loadline.axisWidth = width => width < NARROW_PX ? 38 : 50;
    loadline.AXIS_FONT_PX = FONT_PX;

    function look(width) {
        return {
            legend: 'never', interactionModel: {}, animatedZooms: false, highlightCircleSize: 0,
            connectSeparatedPoints: true, drawGapEdgePoints: false, strokeWidth: 1.25,
            axisLineColor: loadline.color('grid'), gridLineColor: loadline.color('grid'),
            gridLineWidth: 1, axisLabelFontSize: FONT_PX, axisTickSize: 4,
            axisLabelWidth: loadline.axisWidth(width), xAxisHeight: FONT_PX + 9, yRangePad: 0,
        };
    }
    loadline.tickRoom = width => width < NARROW_PX ? 52 : 80;
    const xAxis = width => ({ drawGrid: false, pixelsPerLabel: loadline.tickRoom(width), axisLabelWidth: 48 });
    const yAxis = { pixelsPerLabel: 26, independentTicks: true };

    /* Tells whoever asks `place` during work() its size, which we know, without a layout of the page. */
    function sized(place, width, height, work) {
        Object.defineProperties(place, { clientWidth: { value: width, configurable: true },
            clientHeight: { value: height, configurable: true } });
        try {
            return work();
        } finally {
            delete place.clientWidth;
            delete place.clientHeight;
        }
    }

    /* Draws in `place`, and again whenever it must be. build(width) gives dygraphs' options with
     * `file`, axes.{x,y,y2} laid over those above. Returns { redraw, graph() }. */
    loadline.plotIn = (place, height, build) => {
        let graph = null;
        place.style.height = `${height}px`;
        place.style.contain = 'strict'; /* else each chart lays out the whole page anew */
        place.style.outlineOffset = '1px'; /* outside of the canvas, which would hide it */
        place.style.lineHeight = 'normal'; /* dygraphs centres its labels by it */
        place.style.color = loadline.cssColor('muted');
        function draw(width) {
            const own = build(width);
            const axes = {
                x: { ...xAxis(width), ...own.axes?.x },
                y: { ...yAxis, ...own.axes?.y },
            };
            if (own.axes?.y2)
                axes.y2 = { ...yAxis, drawGrid: false, ...own.axes.y2 };
            const options = { ...look(width), ...own, axes };
            if (!graph) {
                const { file, ...rest } = options;
                trim();
                graph = sized(place, width, height, () => new Dygraph(place, file, { ...rest, width, height }));
                /* Its upper canvas is for its own pointer; on paper the clearing of that erases all. */
                graph.canvas_.style.display = 'none';
                place.style.width = '';
                return;
            }
            const same = graph.width_ === width;
            graph.updateOptions(options, !same);
            if (!same)
                graph.resize(width, height);
            place.style.width = ''; /* dygraphs fixes it: the place could not follow the page's */
        }
        loadline.keepDrawn(place, draw, () => graph?.destroy());
        return {
            redraw: () => place.clientWidth > 0 && draw(Math.floor(place.clientWidth)),
            graph: () => graph,
        };
    };

    /* A range with room above and below the values; from 0 where numbers are compared by length. */
    loadline.rangeOf = (lists, log) => {
        let least = Infinity;
        let greatest = -Infinity;
        for (const list of lists)
            for (const value of list)
                if (Number.isFinite(value) && (!log || value > 0)) {
                    least = Math.min(least, value);
                    greatest = Math.max(greatest, value);
                }
        if (least > greatest)
            return log ? [0.1, 10] : [0, 1];
        if (log)
            return [least / 1.25, greatest * 1.25];
        return [Math.min(0, least * 1.05), greatest > 0 ? greatest * 1.08 : least < 0 ? 0 : 1];
    };
})(globalThis.loadline);
