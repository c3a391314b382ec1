// Puts the page together in dist: node build.mjs MODULE.wasm

import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;
const dist = path.join(here, 'dist');
const [module] = process.argv.slice(2);
fs.rmSync(dist, { recursive: true, force: true });
fs.mkdirSync(dist);
await build({
  entryPoints: [path.join(here, 'src/main.js')],
  outfile: path.join(dist, 'page.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'eof',
});
for (const file of ['index.html', 'style.css']) fs.copyFileSync(path.join(here, file), path.join(dist, file));
fs.copyFileSync(module, path.join(dist, 'aplomb.wasm'));
for (const file of fs.readdirSync(dist)) {
  console.log(`${file.padEnd(12)} ${(fs.statSync(path.join(dist, file)).size / 1e3).toFixed(0)} kB`);
}
