// Runs every shipped scene with the program and draws its pose strip: a picture and a summary a scene, into a folder.
//   node docs/gallery.mjs PROGRAM FOLDER [SCENE…]
// What is newer than the program and the shipped files is kept.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'smol-toml';

const root = path.join(import.meta.dirname, '../..');
/** Pictures of a strip. */
const MOMENTS = 6;
/** Duration of a strip that begins at an event, s: long enough for a few steps. */
const AFTER_EVENT = 3;
/** Power of time in such a strip: most happens soon after the event. */
const DENSER = 1.6;

/** Names of the shipped scenes. */
export function sceneNames() {
  const files = fs.readdirSync(path.join(root, 'scenes'));
  return files.filter((name) => name.endsWith('.toml')).map((name) => path.basename(name, '.toml')).sort();
}

/** Text and content of a shipped scene. */
export function readScene(name) {
  const text = fs.readFileSync(path.join(root, 'scenes', `${name}.toml`), 'utf8');
  return { name, text, content: parse(text) };
}

/** Moments of a strip, s: from the first event on, or evenly over the whole run where nothing happens. */
export function moments(content, simulated) {
  const starts = Object.values(content.events ?? {}).map((event) => event.at).filter((at) => typeof at === 'number');
  const first = Math.min(...starts);
  const hasEvents = starts.length > 0 && first < simulated;
  // The pictures of an event begin within it; the end itself may be a frame that was not computed.
  const from = hasEvents ? first + 0.05 : 0;
  const length = hasEvents ? Math.min(simulated - from, AFTER_EVENT) : simulated;
  const share = (index) => (0.98 * index) / (MOMENTS - 1);
  return Array.from({ length: MOMENTS }, (_, index) => from + length * share(index) ** (hasEvents ? DENSER : 1));
}

const call = promisify(execFile);

/** Runs a scene; leaves NAME.png and NAME.json in the folder. */
async function draw(program, name, folder) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'gallery-'));
  try {
    const run = path.join(scratch, name);
    // Exit code 1 is a criterion that did not hold: the gallery shows that run as well.
    await call(program, ['run', name, '--no-plots', '--quiet', '--out', run]).catch((error) => {
      if (error.code !== 1) throw error;
    });
    const summary = JSON.parse(fs.readFileSync(path.join(run, 'summary.json'), 'utf8'));
    const { content } = readScene(name);
    const at = moments(content, summary.simulated_time).map((time) => time.toFixed(2));
    await call(program, ['plot', run, '--at', at.join(','), '--quiet', '--out', scratch]);
    fs.copyFileSync(path.join(scratch, 'strip.png'), path.join(folder, `${name}.png`));
    fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ criteria: summary.criteria, at }));
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
}

/** The latest change of the program and of the shipped files, ms. */
function changed(program) {
  const folders = ['scenes', 'controllers', 'characters', 'passive'].map((name) => path.join(root, name));
  const files = folders.flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)));
  return Math.max(...[program, import.meta.filename, ...files].map((file) => fs.statSync(file).mtimeMs));
}

async function main([program, folder, ...chosen]) {
  fs.mkdirSync(folder, { recursive: true });
  const since = changed(program);
  const isOld = (name) => {
    const file = path.join(folder, `${name}.json`);
    return !fs.existsSync(file) || fs.statSync(file).mtimeMs < since;
  };
  const queue = (chosen.length ? chosen : sceneNames()).filter(isOld);
  async function work() {
    for (let name = queue.shift(); name; name = queue.shift()) {
      const started = performance.now();
      await draw(program, name, folder);
      console.log(`${name.padEnd(30)} ${((performance.now() - started) / 1e3).toFixed(0)} s`);
    }
  }
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
