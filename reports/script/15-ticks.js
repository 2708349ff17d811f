'use strict';
/* Where an axis has its ticks: few, at round numbers. Pure; in the form that dygraphs takes. */
(loadline => {
    const LEAST_LOG = 1e-12;
    /* Seconds between ticks of a time axis, each with the unit in which it is round. */
    const TIME_UNITS = [
        { unit: 's', size: 1, steps: [1, 2, 5, 10, 20] },
        { unit: 'min', size: 60, steps: [0.5, 1, 2, 5, 10, 20, 30] },
        { unit: 'h', size: 3600, steps: [1, 2, 4, 6, 12] },
        { unit: 'd', size: 86400, steps: [1, 2, 5, 10, 20, 50, 100] },
    ];

    function niceStep(rough) {
        const power = 10 ** Math.floor(Math.log10(rough));
        const digit = rough / power;
        return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
    }
    function multiples(low, high, step) {
        const values = [];
        for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++)
            values.push(Number((k * step).toPrecision(12)));
        return values;
    }
    function linear(low, high, most) {
        if (!(high > low))
            return [low];
        return multiples(low, high, niceStep((high - low) / Math.max(1, most)));
    }

    function powers(low, high, digits) {
        const values = [];
        const end = Math.ceil(Math.log10(high));
        for (let power = Math.floor(Math.log10(low)); power <= end; power++)
            for (const digit of digits) {
                const value = Number((digit * 10 ** power).toPrecision(3));
                if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
                    values.push(value);
            }
        return values;
    }
    /* Powers of ten; where these are fewer than two, what lies between them. */
    function log(low, high, most) {
        low = Math.max(low, LEAST_LOG);
        if (!(high > low))
            return [low];
        for (const digits of [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5, 7]]) {
            const values = powers(low, high, digits);
            if (values.length >= 3 || (values.length >= 2 && digits.length > 1)) {
                const every = Math.ceil(values.length / Math.max(2, most));
                return values.filter((_, index) => index % every === 0);
            }
        }
        return linear(low, high, Math.min(4, most));
    }

    /* { unit, size, values }: the values in seconds, to be shown divided by size. */
    function time(low, high, most) {
        const rough = (high - low) / Math.max(1, most);
        if (rough <= 1)
            return { unit: 's', size: 1, values: linear(low, high, most) };
        for (const { unit, size, steps } of TIME_UNITS)
            for (const step of steps)
                if (step * size >= rough)
                    return { unit, size, values: multiples(low, high, step * size) };
        return { unit: 'd', size: 86400, values: linear(low, high, most) };
    }

    const labelled = (values, label) => values.map(v => ({ v, label: label(v) }));
    const room = (pixels, opts) => Math.max(2, Math.floor(pixels / opts('pixelsPerLabel')));
    loadline.ticks = {
        linear, log, time,
        /* Tickers for dygraphs: "axes: { y: { ticker } }". */
        linearTicker: label => (low, high, pixels, opts) =>
            labelled(linear(low, high, room(pixels, opts)), label),
        logTicker: label => (low, high, pixels, opts) =>
            labelled(log(low, high, room(pixels, opts)), label),
        fixedTicker: (values, label) => (low, high) =>
            labelled(values.filter(v => v >= low && v <= high), label),
        timeTicker: told => (low, high, pixels, opts) => {
            const { unit, size, values } = time(low, high, room(pixels, opts));
            told(unit);
            return labelled(values, v => loadline.short(v / size));
        },
    };
})(globalThis.loadline);
