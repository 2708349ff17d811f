'use strict';
/* Numbers, sizes and times as the reader writes them. What is not known is "-", never 0. */
(loadline => {
    const MINUTE_S = 60;
    const HOUR_S = 3600;
    const CLOCK_FROM_S = 600;

    const formats = new Map();
    function format(name, options) {
        const key = `${loadline.lang} ${name}`;
        if (!formats.has(key))
            formats.set(key, new Intl.NumberFormat(loadline.lang, options));
        return formats.get(key);
    }
    const known = value => typeof value === 'number' && Number.isFinite(value);
    const three = value => format('3', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 })
        .format(value);
    const upToThree = value => format('-3', { maximumSignificantDigits: 3 }).format(value);

    /* 4.10, 24.5, 244, 12,300; small whole numbers as they are: 7 streams are not 7.00. */
    loadline.number = value => {
        if (!known(value))
            return '-';
        if (Number.isInteger(value) && Math.abs(value) < 1000)
            return String(value);
        if (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6)
            return value.toExponential(2);
        return three(value);
    };

    const LETTERS = ['', 'k', 'M', 'G', 'T', 'P'];
    function scaled(value) {
        let power = 0;
        /* 999.6 would be rounded to 1,000: it belongs to the next letter already. */
        while (Math.abs(value) >= 999.5 && power < LETTERS.length - 1) {
            value /= 1000;
            power++;
        }
        return { value, letter: LETTERS[power] };
    }
    const RAISED = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
    /* 0.00000002 -> 2x10 to the -8, as print has it. */
    function power(value) {
        const [digits, exponent] = Number(value.toPrecision(3)).toExponential().split('e');
        const raised = exponent.replace('-', '\u207b').replace(/\d/g, digit => RAISED[digit]);
        return digits === '1' ? `10${raised}` : `${digits}\u00d710${raised}`;
    }
    /* For axes and narrow places: 12.3k, 1M, 0.05. */
    loadline.short = value => {
        if (!known(value))
            return '-';
        if (value !== 0 && Math.abs(value) < 1e-3)
            return power(value);
        const part = scaled(value);
        return upToThree(part.value) + part.letter;
    };
    loadline.bytes = value => {
        if (!known(value))
            return '-';
        const part = scaled(value);
        return `${loadline.number(part.value)} ${part.letter}B`;
    };
    loadline.percent = share => known(share) ? `${upToThree(100 * share)}%` : '-';
    loadline.ms = value => {
        if (!known(value))
            return '-';
        return value >= 1e4 ? loadline.time(value / 1000) : `${loadline.number(value)} ms`;
    };

    const two = value => String(value).padStart(2, '0');
    /* 0.35 s, 42 s, 10 min, 2 h 05 min. */
    loadline.time = seconds => {
        if (!known(seconds))
            return '-';
        if (seconds < 10)
            return loadline.t(`${loadline.number(seconds)} s`);
        if (seconds < 2 * MINUTE_S)
            return loadline.t(`${Math.round(seconds)} s`);
        const minutes = Math.round(seconds / MINUTE_S);
        if (minutes < 60)
            return loadline.t(`${minutes} min`);
        return loadline.t(`${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`);
    };
    /* A point in time, of one width for a run of one length: 12.34 s, or 1:02:03 in long runs. */
    loadline.clock = (seconds, length) => {
        if (!known(seconds))
            return '-';
        if (length < CLOCK_FROM_S)
            return `${seconds.toFixed(length < 10 ? 3 : 1)} s`;
        const whole = Math.floor(seconds);
        const rest = `${two(Math.floor(whole / MINUTE_S) % 60)}:${two(whole % MINUTE_S)}`;
        return `${Math.floor(whole / HOUR_S)}:${rest}`;
    };
})(globalThis.loadline);
