// Whole records of every shipped scene: the module against the native engine with --portable, frame by frame.
//   node test/bits.mjs NATIVE [SCENE…]

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { Engine } from '../src/engine.js';

const [native, ...chosen] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(path.join(import.meta.dirname, '../dist/aplomb.wasm')));
// Two processes a scene.
const workers = Math.max(1, Math.floor(os.availableParallelism() / 2));
const scenes = chosen.length ? chosen : new Engine(module).ask('scenes').map((scene) => scene.name);

/** The next record of the module: its digest, `null` after the last. */
function next(engine) {
  const status = engine.call('aplomb_record');
  if (status === 1) throw new Error(engine.text()[0].message);
  return status === 2 ? null : Array.from(engine.numbers()).join(' ');
}

/** Lines that a process prints. */
function lines(what, scene) {
  const child = spawn(native, [what, scene], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, lines: readline.createInterface({ input: child.stdout }) };
}

/** Number of equal frames, and the first that is not. */
async function compare(scene) {
  const engine = new Engine(module);
  engine.ask({ open: { scene } });
  const twin = lines('records', scene);
  let frames = 0;
  for await (const line of twin.lines) {
    if (next(engine) !== line) {
      twin.child.kill();
      return { frames, differs: await difference(scene, frames) };
    }
    frames += 1;
  }
  return { frames, differs: next(engine) === null ? null : 'the module goes on' };
}

/** What of the record differs: the same frame once more, in words. */
async function difference(scene, frame) {
  const engine = new Engine(module);
  engine.ask({ open: { scene } });
  const twin = lines('texts', scene);
  let index = 0;
  for await (const line of twin.lines) {
    if (next(engine) === null) return 'the module ends sooner';
    if (index === frame) {
      twin.child.kill();
      const [own, other] = [engine.text(), JSON.parse(line)];
      const text = (value) => JSON.stringify(value, (_, part) => (Object.is(part, -0) ? '-0' : part));
      const keys = Object.keys(other).filter((key) => text(own[key]) !== text(other[key]));
      const short = (value) => String(text(value)).slice(0, 160);
      return keys.map((key) => `${key}: ${short(own[key])} against ${short(other[key])}`).join('\n  ');
    }
    index += 1;
  }
  return 'the native engine ends sooner';
}

let [frames, failures] = [0, 0];
const queue = scenes.slice();
async function work() {
  for (let scene = queue.shift(); scene; scene = queue.shift()) {
    const found = await compare(scene).catch((error) => ({ frames: 0, differs: String(error) }));
    frames += found.frames;
    failures += found.differs ? 1 : 0;
    const verdict = found.differs ? `DIFFERS\n  ${found.differs}` : 'equal';
    console.log(`${scene.padEnd(30)} ${String(found.frames).padStart(6)} frames ${verdict}`);
  }
}
await Promise.all(Array.from({ length: workers }, work));
console.log(`${scenes.length - failures} of ${scenes.length} scenes equal, ${frames} frames`);
process.exitCode = failures ? 1 : 0;
