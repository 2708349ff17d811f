/* The page's script files outside a browser: what they put on `loadline`, without a document. */
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

const scripts = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../reports/script');

export function openScript(names, more = {}) {
    const context = vm.createContext({ Intl, atob, Blob, Response, DecompressionStream, TextDecoder, Uint8Array,
        Float64Array, console, ...more });
    for (const name of ['00-base.js', ...names])
        vm.runInContext(fs.readFileSync(path.join(scripts, name), 'utf8'), context, { filename: name });
    return context.loadline;
}

/* The packed form of one column, as packed.h describes it: written here anew, so that both can fail. */
export function packColumn(values, { log = false, scale = 1 }) {
    const bytes = [];
    let last = 0n;
    for (const value of values) {
        let code = 0n;
        if (Number.isFinite(value) && (!log || value > 0)) {
            const whole = BigInt(Math.round((log ? Math.log(value) : value) / scale));
            const difference = whole - last;
            last = whole;
            code = (difference >= 0n ? 2n * difference : -2n * difference - 1n) + 1n;
        }
        do {
            bytes.push(Number(code & 127n) | (code > 127n ? 128 : 0));
            code >>= 7n;
        } while (code > 0n);
    }
    return Uint8Array.from(bytes);
}
