/* Texts and numbers that a result must not be able to do harm with. */
import { readFileSync, writeFileSync } from 'node:fs';

/* What is injected counts itself in window.injected; each begins with a word to look for. */
export const EVIL = [
    'evil1 </script><script>window.injected=1;alert(1)</script>',
    'evil2 <img src=x onerror="window.injected=2">',
    'evil3 "><svg onload=window.injected=3><style>*{display:none!important}</style>',
    "evil4 '`${window.injected=4}` \\u003cscript>",
    'evil5 </title></style></textarea></details></article><h1>evil</h1>',
    'evil6 {{DATA}} {{SCRIPT}} {{STYLE}} {{RESULTS}} {n1} => {1}',
    'evil7 \u2028\u2029 \u202e reversed \u2066 isolated \ufeff',
    'evil8 <!-- <script> ]]> --> &lt;b&gt; &amp; &#60;i&#62;',
    'evil9 javascript:window.injected=9',
];
export const LONG = `evil0 ${'W'.repeat(10000)}`;

let next = 0;
const evil = () => EVIL[next++ % EVIL.length];

function poisonHeader(record) {
    record.label = LONG;
    record.loadline = evil();
    record.workload.name = EVIL[0];
    record.workload['workload.layout'] = evil();
    record.workload[evil()] = evil();
    record.workload['constructor'] = evil();
    record.environment = { ...record.environment, engine_version: evil(), kernel: evil(), cpu_model: evil(),
        engine_settings: { journal_mode: evil(), synchronous: evil(), [evil()]: evil() } };
    for (const device of record.devices || [])
        Object.assign(device, { model: EVIL[1], firmware: evil(), filesystem: evil(), mount_options: evil(),
            scheduler: evil(), write_cache: evil(), path: evil(), link: evil(), transport: evil() });
    record.warnings = [...EVIL];
}
function poisonTexts(record) {
    if (record.record === 'header')
        poisonHeader(record);
    if (record.record === 'event' && record.kind !== 'trial')
        Object.assign(record, { kind: evil(), text: EVIL[0] });
    if ('factors' in record)
        record.factors = { streams: 1, layout: EVIL[2], 'sqlite.page_size': EVIL[4], __proto__x: EVIL[5] };
    if ('part' in record)
        record.part = EVIL[3];
    if (record.record === 'trial') {
        record.error = EVIL[8];
        record.engine_settings = { synchronous: EVIL[0] };
        for (const phase of record.phases || []) {
            phase.verify = { ...phase.verify, ok: false, integrity: EVIL[7], first: [{ id: 1, what: EVIL[1] }] };
            if (phase.waits?.events)
                phase.waits.events = { ...phase.waits.events, [EVIL[1]]: 400 };
        }
    }
    return record;
}

/* Every number below `value` becomes change(number, index); what says which record it is stays. */
const KEPT = new Set(['index', 'trial', 'phase', 'cycle', 'schema', 'repeat', 't0', 't1']);
function numbers(value, change, key) {
    if (typeof value === 'number')
        return KEPT.has(key) ? value : change(value, next++);
    if (Array.isArray(value))
        return value.map(item => numbers(item, change, key));
    if (value && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, numbers(item, change, name)]));
    return value;
}
const measured = record => ['sample', 'trial'].includes(record.record);
const changed = change => record => measured(record) ? numbers(record, change) : record;

function write(path, records) {
    writeFileSync(path, `${records.map(record => JSON.stringify(record)).join('\n')}\n`);
}

/* Writes hostile-*.jsonl into `folder`, made of the logs that are there. */
export function makeHostile(folder) {
    const read = name => readFileSync(`${folder}/${name}.jsonl`, 'utf8').trimEnd().split('\n').map(JSON.parse);
    const parts = () => read('parts');
    write(`${folder}/hostile-text.jsonl`, parts().map(poisonTexts));
    write(`${folder}/hostile-server.jsonl`, read('postgres').map(poisonTexts));
    write(`${folder}/hostile-null.jsonl`, parts().map(changed(() => null)));
    write(`${folder}/hostile-some-null.jsonl`, parts().map(changed((n, k) => k % 3 === 0 ? null : n)));
    write(`${folder}/hostile-huge.jsonl`, parts().map(changed((n, k) => k % 5 === 0 ? 1e308 : n)));
    write(`${folder}/hostile-negative.jsonl`, parts().map(changed((n, k) => k % 4 === 0 ? -n : n)));
    write(`${folder}/hostile-zero.jsonl`, parts().map(changed(() => 0)));
    write(`${folder}/hostile-empty.jsonl`, parts().filter(({ record }) => ['header', 'end'].includes(record)));
    write(`${folder}/hostile-header.jsonl`, parts().filter(({ record }) => record === 'header'));
}
