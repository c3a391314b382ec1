// The package as those who install it have it: its files, the example of its README, its types.
//   node web/npm/test.mjs PACKAGE.tgz

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const here = import.meta.dirname;
const root = path.join(here, '../..');
const archive = path.resolve(process.argv[2]);
const user = fs.mkdtempSync(path.join(os.tmpdir(), 'aplomb-user-'));
process.on('exit', () => fs.rmSync(user, { recursive: true }));

/** Writes a file of the user. */
const write = (name, text) => fs.writeFileSync(path.join(user, name), text);
/** The compiler of TypeScript on a file of the user: status and what it says. */
function tsc(file) {
  const compiler = path.join(root, 'site/node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...options, file], { cwd: user, encoding: 'utf8' });
  return { status, stdout };
}

// The files, and no others.
const files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
assert.deepEqual(files.map((file) => file.replace('package/', '')).sort(), [
  'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'aplomb.wasm', 'browser.js', 'engine.js', 'index.d.ts', 'node.js',
  'numbers.js', 'package.json',
]);
const installed = path.join(user, 'node_modules/aplomb');
fs.mkdirSync(installed, { recursive: true });
execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1']);
write('package.json', '{ "type": "module" }');

// Its version is that of the engine.
const version = fs.readFileSync(path.join(root, 'Cargo.toml'), 'utf8').match(/^version = "(.*)"/m)[1];
assert.equal(JSON.parse(fs.readFileSync(path.join(installed, 'package.json'), 'utf8')).version, version);

// The example of the README pushes a character, which sways forward and stands.
const readme = fs.readFileSync(path.join(installed, 'README.md'), 'utf8');
const example = readme.match(/```js\n([^]*?)```/)[1];
write('example.mjs', example);
const lines = execFileSync(process.execPath, ['example.mjs'], { cwd: user, encoding: 'utf8' }).trim().split('\n');
assert.equal(lines.length, 3);
const [time, x, z] = lines[0].match(/[\d.-]+/g).map(Number);
assert(time === 1.99 && x > 0.08 && z > 0.9, lines[0]);
assert(Number(lines[2].match(/[\d.-]+/g)[2]) > 0.9, 'it stands');
console.log(lines.join('\n'));

// The example has types, and a wrong request is none.
write('example.ts', example);
assert.deepEqual(tsc('example.ts'), { status: 0, stdout: '' });
write('wrong.ts', example.replace('duration: 0.15', 'seconds: 0.15'));
assert.match(tsc('wrong.ts').stdout, /seconds/);

// Every request of the engine has a type.
const source = fs.readFileSync(path.join(root, 'web/src/request.rs'), 'utf8');
const requests = source.match(/pub enum Request \{([^]*?)\n\}/)[1].match(/^ {4}\w+/gm).map((name) => name.trim().toLowerCase());
const types = fs.readFileSync(path.join(installed, 'index.d.ts'), 'utf8');
for (const name of requests) assert.match(types, new RegExp(`^  ${name}\\??:`, 'm'), `index.d.ts has no ${name}`);

// What the engine answers is what the types say: answers as literals, in which a missing or unknown key is an error.
const { Engine, Refusal, load } = await import(path.join(installed, 'node.js'));
const engine = new Engine(await load());
const literals = [];
const say = (type, value) => literals.push(`const answer${literals.length}: ${type} = ${JSON.stringify(value)};`);
for (const scene of ['drive', 'climb', 'carry_box', 'catch_ball', 'uneven', 'four_bar']) {
  say('Scene', engine.ask({ open: { scene } }));
  engine.step(30);
  for (const name of ['scenes', 'controller', 'objects', 'mind', 'forces']) say(`Answers['${name}']`, engine.ask(name));
}
say("ValueAnswers['check']", (engine.ask({ open: { scene: 'stand' } }), engine.ask({ check: { text: 'x = 1' } })));
say("ValueAnswers['future']", engine.ask({ future: { seconds: 0.1 } }));
say("Answers['keep']", engine.ask('keep'));
assert.throws(() => engine.ask({ open: { scene: 'nowhere' } }), Refusal);
const names = 'Answers, Scene, ValueAnswers';
write('answers.ts', `import type { ${names} } from 'aplomb';\n${literals.join('\n')}\nexport {};\n`);
assert.deepEqual(tsc('answers.ts'), { status: 0, stdout: '' });
console.log(`${files.length} files, ${(fs.statSync(archive).size / 1e6).toFixed(1)} MB; ${literals.length} answers have their types`);
