/* make_waits.mjs LOG: adds to the samples of a server's log what its streams were seen waiting for, as
 * a real run has it: mostly the log's flush at first, the CPU later. The same at every run. */
import { readFileSync, writeFileSync } from 'node:fs';

const [, , path] = process.argv;
const STREAMS = 16;
const PERIOD = 40; /* samples in a phase */

let count = 0;
function waitsOf(index) {
    const late = (index % PERIOD) / PERIOD;
    const cpu = Math.round(STREAMS * (0.2 + 0.5 * late));
    const flush = Math.round(STREAMS * 0.5 * (1 - late));
    return { wait_cpu: cpu, wait_flush: flush, wait_group: STREAMS - cpu - flush };
}
const lines = readFileSync(path, 'utf8').trimEnd().split('\n').map(line => {
    const record = JSON.parse(line);
    if (record.record === 'sample' && record.mark === 'tick')
        Object.assign(record.gauges, waitsOf(count++));
    return JSON.stringify(record);
});
writeFileSync(path, `${lines.join('\n')}\n`);
