'use strict';
/* As many points as a screen has columns of pixels: of what falls into one column the least and the
 * greatest value, in their order, so that no peak is lost. Pure. */
(loadline => {
    const MOST_ROWS = 4; /* for a pixel, before phases are joined */

    /* Intervals first, first + 1, ... count of a phase, as far as they lie in [low, high], with one
     * more at each side so that lines run to the edge. null: none. x may hold NaN at its start. */
    function visible(x, first, count, low, high) {
        let from = first;
        let to = first + count;
        for (let size = to - from; size > 0;) { /* first with x >= low */
            const half = size >> 1;
            if (x[from + half] < low) {
                from += half + 1;
                size -= half + 1;
            } else {
                size = half;
            }
        }
        let end = from;
        for (let size = to - end; size > 0;) { /* first with x > high */
            const half = size >> 1;
            if (x[end + half] <= high) {
                end += half + 1;
                size -= half + 1;
            } else {
                size = half;
            }
        }
        from = Math.max(first, from - 1);
        to = Math.min(to, end + 1);
        return from < to && x[from] <= high && x[to - 1] >= low ? { from, to } : null;
    }

    /* The two rows of intervals [from, to): each series has its least and greatest in their order. */
    function extremes(rows, x, series, from, to) {
        const early = [x[from]];
        const late = [x[to - 1]];
        for (const values of series) {
            let least = -1;
            let greatest = -1;
            for (let i = from; i < to; i++) {
                const value = values[i];
                if (Number.isNaN(value))
                    continue;
                if (least < 0 || value < values[least])
                    least = i;
                if (greatest < 0 || value > values[greatest])
                    greatest = i;
            }
            early.push(least < 0 ? NaN : values[Math.min(least, greatest)]);
            late.push(least < 0 ? NaN : values[Math.max(least, greatest)]);
        }
        rows.push(early, late);
    }
    function segment(rows, x, series, { from, to }, view) {
        for (let i = from; i < to;) {
            const pixel = Math.floor((x[i] - view.low) / view.pixel);
            let next = i + 1;
            while (next < to && Math.floor((x[next] - view.low) / view.pixel) === pixel)
                next++;
            if (next - i <= 2) {
                for (; i < next; i++)
                    rows.push([x[i], ...series.map(values => values[i])]);
            } else {
                extremes(rows, x, series, i, next);
                i = next;
            }
        }
    }

    /* Phases shorter than a pixel: once more, over their borders. */
    function again(rows, low, high, width) {
        const column = index => Float64Array.from(rows, row => row[index]);
        const [x, ...series] = rows[0].map((_, index) => column(index));
        const result = [];
        segment(result, x, series, { from: 0, to: rows.length }, { low, pixel: (high - low) / width });
        return result;
    }

    /* Rows for dygraphs, [x, a, b, ...], of the series in [low, high] of x on `width` pixels.
     * `segments`: { first, count }, in the order of x; lines do not cross from one to the next. */
    function rows(x, series, segments, low, high, width) {
        const view = { low, pixel: (high - low) / Math.max(1, width) || 1 };
        const result = [];
        for (const { first, count } of segments) {
            const part = visible(x, first, count, low, high);
            if (!part)
                continue;
            if (result.length > 0) {
                const last = result[result.length - 1][0];
                result.push([(last + x[part.from]) / 2, ...series.map(() => NaN)]);
            }
            segment(result, x, series, part, view);
        }
        return result.length > MOST_ROWS * width ? again(result, low, high, width) : result;
    }

    /* { least, median, greatest, count } of what is known; null: nothing is. */
    function summary(values) {
        let count = 0;
        const known = new Float64Array(values.length);
        for (let i = 0; i < values.length; i++)
            if (Number.isFinite(values[i]))
                known[count++] = values[i];
        if (count === 0)
            return null;
        const list = known.subarray(0, count).sort();
        const middle = list.length >> 1;
        const median = list.length % 2 ? list[middle] : (list[middle - 1] + list[middle]) / 2;
        return { least: list[0], median, greatest: list[list.length - 1], count: list.length };
    }

    loadline.decimate = { visible, rows, summary };
})(globalThis.loadline);
