'use strict';
/* What is drawn over time: which columns of a result make which chart, in which unit. */
(loadline => {
    const MB = 1e6;

    function derive(values, make) {
        const list = new Float64Array(values.length);
        for (let i = 0; i < values.length; i++)
            list[i] = make(values[i], i);
        return list;
    }
    const known = list => list && list.some(Number.isFinite);
    const positive = list => derive(list, value => value > 0 ? value : NaN);
    const percent = value => Number.isFinite(value) ? `${loadline.number(value)}%` : '-';

    /* Groups with more than one row a commit are where rows/s says something of its own. */
    function rowsDiffer({ commits, rows }) {
        return rows && commits && rows.some((value, i) => value > commits[i]);
    }

    /* { id, log, zero, series: [{ name, color, values, axis, format }] } of what is known. */
    function tracks({ timeline: { columns } }) {
        const rate = (name, unit = 1) => columns[name]
            && derive(columns[name], (value, i) => value / columns.seconds[i] / unit);
        const scaled = (name, factor) => columns[name] && derive(columns[name], value => value * factor);
        const line = (name, color, values, more = {}) =>
            ({ name, color, values, axis: 'y', format: loadline.number, ...more });
        const latency = (name, color, column) => line(name, color, columns[column] && positive(columns[column]));
        const temperature = columns.temperature_c;
        return [
            { id: 'commits', series: [
                line('commits/s', 'commits', rate('commits')),
                line('rows/s', 'rows', rowsDiffer(columns) ? rate('rows') : null, { axis: 'y2' })] },
            { id: 'device', series: [
                line('data writes/s', 'writes', rate('writes')),
                line('flushes/s', 'flushes', rate('flushes')),
                line('MB/s', 'bytes', rate('bytes', MB), { axis: 'y2' })] },
            { id: 'queue', series: [
                line('queue depth', 'queue', columns.queue_depth),
                line('in flight', 'inflight', columns.in_flight)] },
            { id: 'latency', log: true, series: [
                latency('commit p50 ms', 'p50', 'p50_ms'),
                latency('p99 ms', 'p99', 'p99_ms'),
                latency('max ms', 'max', 'max_ms')] },
            { id: 'cpu', series: [
                line('CPU of the client, of one', 'cpu', scaled('cpu_client', 100), { format: percent, unit: '%' }),
                line('CPU of the host, of all', 'host', scaled('cpu_host', 100), { format: percent, unit: '%' })] },
            { id: 'temperature', zero: false, series: [line('drive \u00b0C', 'temperature', temperature)] },
            { id: 'wal', series: [line('WAL MB', 'wal', scaled('wal_bytes', 1 / MB))] },
        ].map(track => ({ zero: true, ...track, series: track.series.filter(({ values }) => known(values)) }))
            .filter(({ series }) => series.length > 0)
            .map(firstAxisInUse);
    }
    /* Where nothing is left for the first axis the second moves over. */
    function firstAxisInUse(track) {
        if (!track.series.some(({ axis }) => axis === 'y'))
            track.series.forEach(series => { series.axis = 'y'; });
        return track;
    }

    loadline.tracks = tracks;
})(globalThis.loadline);
