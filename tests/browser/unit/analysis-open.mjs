/* The page's script without a browser: what is pure in it can be called. */
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

const scripts = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../reports/script');

export function openScripts() {
    const context = vm.createContext({ Intl, console });
    for (const name of fs.readdirSync(scripts).filter(file => /^[0-7].*\.js$/.test(file)).sort())
        vm.runInContext(fs.readFileSync(path.join(scripts, name), 'utf8'), context, { filename: name });
    return context.loadline;
}
/* Values of another realm have other prototypes: they are compared by what they hold. */
export const plain = value => JSON.parse(JSON.stringify(value));
export const near = (value, expected, within = 1e-9) =>
    Math.abs(value - expected) <= within * Math.max(1, Math.abs(expected));
