'use strict';
/* What all charts over time of one result share: the axis (time, or GB that the drive had taken), the
 * range of it that is shown, and the interval under the pointer. */
(loadline => {
    const GB = 1e9;
    const LEAST_SHARE = 1e-6; /* of the whole, that can be zoomed to */

    /* "insert", "10 streams", "repeat 2" */
    function phaseWords(result, phase) {
        const group = result.groups[phase.group];
        const parts = (group ? group.name : phase.phase).split(', ').map(loadline.t);
        if (!group)
            parts.push(loadline.t(`trial ${phase.trial + 1}`));
        else if (group.repeats > 1)
            parts.push(loadline.t(`repeat ${phase.repeat + 1}`));
        if (phase.cycle > 0)
            parts.push(loadline.t(`cycle ${phase.cycle + 1}`));
        return parts;
    }

    function sumOf(values, { first, count }) {
        let sum = 0;
        for (let i = first; i < first + count; i++)
            sum += values[i] || 0;
        return sum;
    }
    /* The phases as parts of the axis; those that have no place on it are left out. */
    function segments(result, axis) {
        const columns = result.timeline ? result.timeline.columns : {};
        const ends = phase => {
            if (axis === 'time')
                return [phase.start_s, phase.end_s];
            const start = phase.start_bytes;
            if (typeof start !== 'number' || !columns.bytes)
                return [NaN, NaN];
            return [start / GB, (start + sumOf(columns.bytes, phase)) / GB];
        };
        return result.phases.map(phase => {
            const [low, high] = ends(phase);
            const words = phaseWords(result, phase);
            return { low, high, phase, first: phase.first || 0, count: phase.count || 0,
                words, name: words.join(', ') };
        }).filter(({ low, high }) => high > low).sort((a, b) => a.low - b.low);
    }
    function axisOf(result, name) {
        const parts = segments(result, name);
        const columns = result.timeline ? result.timeline.columns : null;
        const x = columns && (name === 'time' ? columns.middle_s : columns.total_bytes.map(v => v / GB));
        const low = name === 'time' ? Math.min(0, ...parts.slice(0, 1).map(part => part.low))
            : parts.length ? parts[0].low : 0;
        const high = parts.reduce((most, part) => Math.max(most, part.high), low);
        return { name, parts, x, full: [low, high > low ? high : low + 1] };
    }

    /* First place in [from, to) of a sorted list whose value is >= `value`. */
    function lowerBound(list, value, from, to) {
        while (from < to) {
            const middle = (from + to) >> 1;
            if (list[middle] < value)
                from = middle + 1;
            else
                to = middle;
        }
        return from;
    }

    class View {
        constructor(result) {
            this.result = result;
            this.twoAxes = false;
            this.forget();
            this.use('time');
        }
        forget() {
            this.axes = {}; /* names of phases are in the reader's language */
            this.onRange = [];
            this.onCursor = [];
            this.cursor = -1;
            if (this.current)
                this.current = this.axis(this.current.name);
        }
        axis(name) {
            this.axes[name] = this.axes[name] || axisOf(this.result, name);
            return this.axes[name];
        }
        use(name) {
            this.current = this.axis(name);
            this.range = this.current.full;
        }
        get x() { return this.current.x; }
        get parts() { return this.current.parts; }
        get hasBytes() { return this.axis('bytes').parts.length > 0; }
        get zoomed() {
            const { full } = this.current;
            return this.range[0] > full[0] || this.range[1] < full[1];
        }

        switchAxis(name) {
            this.use(name);
            this.setCursor(-1);
            this.onRange.forEach(listener => listener());
        }
        /* Kept inside the whole; listeners are told only of what changed. */
        show(low, high) {
            const [least, greatest] = this.current.full;
            const size = Math.min(Math.max(high - low, (greatest - least) * LEAST_SHARE), greatest - least);
            const start = Math.min(Math.max(low, least), greatest - size);
            if (start === this.range[0] && start + size === this.range[1])
                return;
            this.range = [start, start + size];
            this.onRange.forEach(listener => listener());
        }
        showAll() { this.show(...this.current.full); }
        zoom(factor, around = (this.range[0] + this.range[1]) / 2) {
            this.show(around - (around - this.range[0]) / factor, around + (this.range[1] - around) / factor);
        }
        move(share) {
            const step = share * (this.range[1] - this.range[0]);
            this.show(this.range[0] + step, this.range[1] + step);
        }

        partAt(x) {
            return this.parts.find(part => x >= part.low && x <= part.high) || null;
        }
        /* The interval nearest to x; -1: x lies in no phase. */
        intervalAt(x) {
            const part = this.partAt(x);
            if (!part || !this.x || part.count === 0)
                return -1;
            const end = part.first + part.count;
            const next = Math.min(lowerBound(this.x, x, part.first, end), end - 1);
            const before = Math.max(next - 1, part.first);
            return x - this.x[before] < this.x[next] - x ? before : next;
        }
        setCursor(index) {
            if (index === this.cursor)
                return;
            this.cursor = index;
            this.onCursor.forEach(listener => listener());
        }
        stepCursor(step) {
            const next = this.cursor < 0 ? this.intervalAt((this.range[0] + this.range[1]) / 2)
                : this.cursor + step;
            if (this.x && next >= 0 && next < this.x.length && this.x[next] >= this.range[0] && this.x[next] <= this.range[1])
                this.setCursor(next);
        }

        /* Where a point in time lies on the axis in use; NaN: nowhere. */
        place(at_s) {
            if (typeof at_s !== 'number')
                return NaN;
            if (this.current.name === 'time')
                return at_s;
            const part = this.axis('time').parts.find(({ low, high }) => at_s >= low && at_s <= high);
            if (!part || part.count === 0 || !this.x)
                return NaN;
            const { middle_s: middle } = this.result.timeline.columns;
            const index = lowerBound(middle, at_s, part.first, part.first + part.count);
            return this.x[Math.min(index, part.first + part.count - 1)];
        }
    }

    const views = new WeakMap();
    /* The same view for every chart of a result. */
    loadline.view = result => {
        if (!views.has(result))
            views.set(result, new View(result));
        return views.get(result);
    };
    loadline.axisLabel = (view, unit) =>
        loadline.t(view.current.name === 'time' ? `time (${unit})` : 'GB written to the drive');
})(globalThis.loadline);
