'use strict';
/* Behind the curves: phases as bands with their names, checkpoints, changes of level. */
(loadline => {
    const RIBBON_PX = 18;
    const ROOM_PX = 14; /* from one full line to the next, at least in the mean */
    const TICK_PX = 5;
    const NEAR_PX = 4;

    const onScreen = ({ range }, low, high) => high >= range[0] && low <= range[1];
    const scaleOf = (view, area) => x =>
        area.x + (x - view.range[0]) / (view.range[1] - view.range[0]) * area.w;

    function eachBand(view, area, draw) {
        const at = scaleOf(view, area);
        view.parts.forEach((part, index) => {
            if (!onScreen(view, part.low, part.high))
                return;
            const left = Math.max(area.x, at(part.low));
            draw(part, index, left, Math.min(area.x + area.w, at(part.high)) - left);
        });
    }
    function bands(context, area, view) {
        context.fillStyle = loadline.color('band');
        eachBand(view, area, (part, index, left, width) => {
            if (index % 2 === 0)
                context.fillRect(left, area.y, width, area.h);
        });
    }

    /* Upright lines at whole pixels, each pixel once. */
    function uprights(context, places, top, bottom) {
        context.beginPath();
        for (const x of new Set(places.map(Math.round))) {
            context.moveTo(x + 0.5, top);
            context.lineTo(x + 0.5, bottom);
        }
        context.stroke();
    }
    function placesOf(list, view, area) {
        const at = scaleOf(view, area);
        return list.map(({ at_s }) => view.place(at_s))
            .filter(x => x >= view.range[0] && x <= view.range[1]).map(at);
    }
    /* Full lines while they are few; else ticks below the first chart, as not to become a surface. */
    const isCheckpoint = ({ kind }) => kind === 'checkpoint';
    const eventsOf = ({ events }, checkpoints) =>
        (events || []).filter(event => isCheckpoint(event) === checkpoints);
    function events(context, area, view, { first, checkpoints }) {
        const places = placesOf(eventsOf(view.result, checkpoints), view, area);
        const bottom = area.y + area.h;
        const many = places.length * ROOM_PX > area.w;
        if (many && !first)
            return;
        context.strokeStyle = checkpoints ? loadline.fade(loadline.color('muted'), 0.45) : loadline.color('loud');
        context.lineWidth = 1;
        uprights(context, places, many ? bottom - TICK_PX : area.y, bottom);
    }
    function changes(context, area, view) {
        context.strokeStyle = loadline.color('ink');
        context.lineWidth = 1;
        context.setLineDash([4, 3]);
        uprights(context, placesOf(view.result.changes || [], view, area), area.y, area.y + area.h);
        context.setLineDash([]);
    }
    /* What the marks mean, for a legend. */
    loadline.markEntries = result => [
        eventsOf(result, true).length && { kind: 'mark', name: loadline.t('checkpoint'), color: 'muted' },
        eventsOf(result, false).length && { kind: 'mark', name: loadline.t('event'), color: 'loud' },
        result.changes?.length && { kind: 'mark', name: loadline.t('change of level'), color: 'ink', dash: [4, 3] },
    ].filter(Boolean);

    loadline.drawMarks = (context, area, view, { first }) => {
        bands(context, area, view);
        events(context, area, view, { first, checkpoints: true });
        if (!first)
            return;
        events(context, area, view, { first, checkpoints: false });
        changes(context, area, view);
    };

    /* The longest form of a phase's name that fits: "insert, 10 streams, repeat 2", "insert". */
    function fitting(context, words, width) {
        for (let count = words.length; count > 0; count--) {
            const text = words.slice(0, count).join(', ');
            if (context.measureText(text).width <= width)
                return text;
        }
        return '';
    }
    loadline.RIBBON_PX = RIBBON_PX;
    loadline.drawRibbon = (context, area, view) => {
        bands(context, area, view);
        context.font = loadline.font(loadline.AXIS_FONT_PX);
        context.fillStyle = loadline.color('muted');
        context.textBaseline = 'middle';
        eachBand(view, area, (part, index, left, width) => {
            const text = width > 20 ? fitting(context, part.words, width - 8) : '';
            if (text)
                context.fillText(text, left + 4, area.y + area.h / 2 + 0.5);
        });
    };

    function changeText({ before, after, cause }) {
        const text = `${loadline.t('level of commits/s')}: ${loadline.number(before)} \u2192 ${loadline.number(after)}`;
        return cause ? `${text} (${loadline.t(cause)})` : text;
    }
    /* What is marked within a few pixels of x, in words. */
    loadline.marksNear = (view, x, pixel) => {
        const near = ({ at_s }) => Math.abs(view.place(at_s) - x) <= NEAR_PX * pixel;
        return [...(view.result.changes || []).filter(near).map(changeText),
            ...(view.result.events || []).filter(near).slice(0, 1)
                .map(({ kind, text }) => loadline.t(text || kind))];
    };
})(globalThis.loadline);
