/* make_hostile.mjs FOLDER HOSTILE: the hostile results, and a copy of golden/'s own. */
import { copyFileSync } from 'node:fs';
import { makeHostile } from './hostile.mjs';

const [, , folder, golden] = process.argv;
makeHostile(folder);
copyFileSync(golden, `${folder}/hostile-golden.jsonl`);
