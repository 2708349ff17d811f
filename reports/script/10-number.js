'use strict';
/* Numbers, sizes and times as the reader writes them. What is not known is "-", never 0. */
(loadline => {
    const MINUTE_S = 60;
    const HOUR_S = 3600;
    const CLOCK_FROM_S = 600;

    const written = digits => loadline.formatted(digits, loadline.locale || 'en');
    const known = value => typeof value === 'number' && Number.isFinite(value);
    /* Digits of `value` without an exponent, rounded to three that count. */
    function rounded(value) {
        const three = Number(value.toPrecision(3));
        const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(three) || 1)));
        return three.toFixed(Math.min(decimals, 20));
    }
    const three = value => written(rounded(value));
    const upToThree = value => {
        const digits = rounded(value);
        return written(digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
    };

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
    /* With so many decimals, whatever the size: 3,749.5. */
    loadline.fixed = (value, decimals) => known(value) ? written(value.toFixed(decimals)) : '-';

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
