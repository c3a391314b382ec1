// What the page weighs, that its module imports nothing, and how long a frame takes against the native engine.
//   node test/size.mjs NATIVE

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { Engine } from '../src/engine.js';

/** Most that the page may weigh, compressed, bytes. */
const MOST = { gzip: 2.3e6, brotli: 1.8e6 };
/** Scenes whose frames are timed. */
const TIMED = ['balance_push', 'step_push', 'carry_box', 'chain_1000'];

const [native] = process.argv.slice(2);
const dist = path.join(import.meta.dirname, '../dist');
/** Prints sizes in MB. */
function print(name, sizes) {
  const each = Object.entries(sizes).map(([kind, size]) => `${kind} ${(size / 1e6).toFixed(3)} MB`);
  console.log(name.padEnd(14), each.join(', '));
}

const sums = { plain: 0, gzip: 0, brotli: 0 };
for (const file of fs.readdirSync(dist)) {
  const bytes = fs.readFileSync(path.join(dist, file));
  const gzip = zlib.gzipSync(bytes, { level: 9 }).length;
  const sizes = { plain: bytes.length, gzip, brotli: zlib.brotliCompressSync(bytes).length };
  for (const [name, size] of Object.entries(sizes)) sums[name] += size;
  print(file, sizes);
}
print('together', sums);
const bytes = fs.readFileSync(path.join(dist, 'aplomb.wasm'));
const started = performance.now();
const module = new WebAssembly.Module(bytes);
console.log(`compiled in ${(performance.now() - started).toFixed(0)} ms`);
const imports = WebAssembly.Module.imports(module);
console.log(`${WebAssembly.Module.exports(module).length} exports, ${imports.length} imports`);

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
for (const scene of TIMED) {
  const engine = new Engine(module);
  const rounds = Array.from({ length: 3 }, () => {
    engine.ask({ open: { scene } });
    return median(Array.from({ length: 600 }, () => {
      const begun = performance.now();
      engine.step();
      return (performance.now() - begun) * 1e3;
    }));
  });
  const twin = execFileSync(native, ['time', scene], { encoding: 'utf8' }).trim().split('\n').map(Number);
  const [own, other] = [Math.min(...rounds), Math.min(...twin)];
  const ratio = (own / other).toFixed(2);
  console.log(`${scene.padEnd(14)} ${own.toFixed(0)} µs a frame, native ${other.toFixed(0)} µs: ratio ${ratio}`);
}
if (imports.length) throw new Error(`the module imports ${imports.map((one) => one.name).join(', ')}`);
for (const [name, most] of Object.entries(MOST)) {
  if (sums[name] > most) throw new Error(`the page weighs ${sums[name]} bytes with ${name}, more than ${most}`);
}
