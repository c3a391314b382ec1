// The page in headless Chromium: what a visitor does, and what is to come of it.
//   node test/page.mjs [FOLDER_FOR_PICTURES]       CHROMIUM: the browser (chromium)

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import puppeteer from 'puppeteer-core';
import { serve } from '../serve.mjs';

const [pictures] = process.argv.slice(2);
if (pictures) fs.mkdirSync(pictures, { recursive: true });
const executablePath = process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const server = await serve();
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await puppeteer.launch({
  executablePath,
  // Drawn by the processor: a machine for tests has nothing else.
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const errors = [];
/** Small, as the processor draws it. */
const DESKTOP = { width: 1180, height: 720 };

async function visit(fragment, viewport = DESKTOP, scheme = 'light') {
  const page = await browser.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(address + fragment);
  await page.waitForSelector('body.ready', { timeout: 60000 });
  return page;
}

const until = (page, condition, ...values) => page.waitForFunction(condition, { timeout: 60000 }, ...values);
const at = (page, seconds) => until(page, (time) => window.page.history.frame.time >= time, seconds);
/** Computes frames as fast as they can be, with what keys and the stick say, until a condition holds. */
const hurry = async (page, condition, most = 1500) => {
  const holds = await page.evaluate((text, frames) => {
    const isThere = new Function(`return (${text})()`);
    const shown = window.page;
    for (let count = 0; count < frames && !isThere(); count += 1) {
      shown.hand.tell();
      shown.drive.tell();
      shown.step();
    }
    shown.show();
    return isThere();
  }, String(condition), most);
  assert(holds, `in ${most} frames: ${condition}`);
};
const com = (page) => page.evaluate(() => Array.from(window.page.history.frame.com));
const picture = async (page, name) => pictures && page.screenshot({ path: path.join(pictures, `${name}.png`) });

/** Where the middle of a body of the character is on the screen. */
const onScreen = (page, name) => page.evaluate((body) => {
  const { stage, history } = window.page;
  const [x, y, z] = history.frame.bodies[history.description.header.bodies.indexOf(body)];
  const point = stage.controls.target.clone().set(x, y, z + 0.06).project(stage.camera);
  const { left, top, width, height } = stage.canvas.getBoundingClientRect();
  return [left + ((point.x + 1) / 2) * width, top + ((1 - point.y) / 2) * height];
}, name);

/** Fails where two moments differ in a bit. */
const digest = (page) => page.evaluate(() => JSON.stringify(Array.from(window.page.history.engine.look())));

const tests = {
  async 'the page is there soon'() {
    const started = performance.now();
    const page = await visit('#stand');
    console.log(`    ready after ${((performance.now() - started) / 1e3).toFixed(2)} s`);
    await at(page, 1);
    await picture(page, 'stand');
    await page.close();
  },

  async 'a shove moves it, and it stands'() {
    const page = await visit('#stand');
    await at(page, 0.5);
    const [before] = [await com(page)];
    await page.click('#shove');
    await until(page, ([x, y]) => {
      const now = window.page.history.frame.com;
      return Math.hypot(now[0] - x, now[1] - y) > 0.015;
    }, before);
    await picture(page, 'shove');
    await hurry(page, () => window.page.history.frame.time > 5);
    assert((await com(page))[2] > 0.8, 'it stands');
    await page.close();
  },

  async 'a body is dragged by the pointer'() {
    const page = await visit('#stand');
    await at(page, 0.5);
    const [x, y] = await onScreen(page, 'chest');
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 70, y, { steps: 6 });
    await until(page, () => window.page.history.frame.pull && window.page.history.frame.external.length);
    await picture(page, 'drag');
    await page.mouse.up();
    await until(page, () => !window.page.history.frame.pull);
    await page.close();
  },

  async 'a ball is thrown at it, and is away again before it was thrown'() {
    const page = await visit('#stand');
    await at(page, 0.5);
    await page.click('#throw');
    await until(page, () => window.page.history.frame.objects.length === 1);
    await at(page, 0.8);
    await picture(page, 'throw');
    await page.evaluate(() => window.page.seek(20));
    assert.equal(await page.evaluate(() => window.page.history.frame.objects.length), 0);
    assert.equal(await page.evaluate(() => window.page.stage.headers.length), 0);
    await page.close();
  },

  async 'keys drive a controller with commands'() {
    const page = await visit('');
    await page.evaluate(() => window.page.open(window.page.scenes.all[0]));
    await page.evaluate(() => document.querySelector('[data-panel=mind]').click());
    await page.keyboard.down('KeyW');
    await at(page, 0.2);
    await hurry(page, () => window.page.history.frame.com[0] > 0.7);
    await picture(page, 'drive');
    await page.keyboard.down('KeyA');
    await hurry(page, () => window.page.history.frame.com[1] > 0.25);
    await page.keyboard.up('KeyA');
    await page.keyboard.up('KeyW');
    await hurry(page, () => window.page.history.engine.ask('mind').state.startsWith('stand'));
    assert((await com(page))[2] > 0.8, 'it stands again');
    await page.close();
  },

  async 'the stick drives it too'() {
    const page = await visit('', { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
    await page.evaluate(() => window.page.open(window.page.scenes.all[0]));
    const box = await (await page.$('#stick')).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const finger = await page.touchscreen.touchStart(x, y);
    await finger.move(x, y - 45);
    await until(page, () => window.page.drive.stick[1] > 0.5);
    await hurry(page, () => window.page.history.frame.com[0] > 0.4);
    await picture(page, 'phone');
    await finger.end();
    await until(page, () => window.page.drive.stick.every((part) => part === 0));
    await page.close();
  },

  async 'a gamepad drives it, shoves and throws'() {
    const page = await visit('#stand');
    await page.evaluate(() => window.page.open(window.page.scenes.all[0]));
    const buttons = (...down) => [0, 1, 2, 3].map((button) => ({ pressed: down.includes(button) }));
    const hold = (axes, down = []) => page.evaluate((pad) => {
      navigator.getGamepads = () => [null, { connected: true, mapping: 'standard', ...pad }];
    }, { axes, buttons: buttons(...down) });
    await hold([0.1, -1, 0]);
    await hurry(page, () => window.page.history.frame.com[0] > 0.4);
    await hold([0, 0, 0], [1]);
    await hurry(page, () => window.page.history.frame.objects.length === 1);
    await hurry(page, () => window.page.history.frame.time > 4);
    assert.equal(await page.evaluate(() => window.page.history.frame.objects.length), 1, 'held, it throws once');
    await page.close();
  },

  async 'a moment tells how hard it can be pushed, and stays as it is'() {
    const page = await visit('#step_push');
    await page.evaluate(() => {
      document.querySelector('#events').click();
      window.page.play(false);
      while (window.page.history.at < 60) window.page.step();
    });
    const before = await digest(page);
    const started = performance.now();
    await page.click('#margin');
    await until(page, () => !window.page.futures.isBusy && /stands \d+ N s/.test(document.querySelector('#message').textContent));
    console.log(`    after ${((performance.now() - started) / 1e3).toFixed(1)} s: ${await page.$eval('#message', (said) => said.textContent)}`);
    assert(await page.evaluate(() => window.page.stage.margin.mesh.visible), 'a polygon');
    assert(await digest(page) === before, 'the same moment');
    await picture(page, 'margin');
    const [least, most] = await page.$eval('#message', (said) => said.textContent.match(/\d+/g).map(Number));
    assert(least > 10 && most < 200 && least < most, `${least} to ${most} N s`);
    // From behind: what it is told to stand, and a fifth more.
    const stands = (share) => page.evaluate((factor) => {
      const { futures, hand, history } = window.page;
      const push = { target: hand.chest(), force: [(factor * futures.found[0][1]) / 0.1, 0, 0], duration: 0.1 };
      const from = history.at;
      history.act({ push });
      for (let count = 0; count < 200; count += 1) history.step();
      const { com } = history.frame;
      history.seek(from);
      return com[2] > 0.75;
    }, share);
    assert(await stands(1), 'it stands what it is told to');
    assert(!(await stands(1.25)), 'and no more');
    await page.evaluate(() => window.page.play(true));
    assert(!(await page.evaluate(() => window.page.stage.margin.mesh.visible)), 'gone as time goes on');
    await page.close();
  },

  async 'a hundred futures of a slider'() {
    const page = await visit('#step_push');
    await hurry(page, () => window.page.history.frame.time > 0.55);
    await page.evaluate(() => {
      window.page.play(false);
      document.querySelector('[data-panel=values]').click();
    });
    await page.waitForSelector('[data-ahead]');
    const before = await digest(page);
    const started = performance.now();
    await page.click('[data-ahead]');
    await page.waitForSelector('.known', { timeout: 60000 });
    console.log(`    after ${((performance.now() - started) / 1e3).toFixed(1)} s: ${await page.$eval('.known', (strip) => strip.title)}`);
    assert(await digest(page) === before, 'the same moment');
    await picture(page, 'futures');
    await page.close();
  },

  async 'a mistake is told with its line, and the controller before goes on'() {
    const page = await visit('#stand');
    await at(page, 0.3);
    const edit = (from, to) => page.evaluate((before, after) => {
      const area = document.querySelector('textarea');
      area.value = area.value.replace(before, after);
      area.dispatchEvent(new Event('input'));
    }, from, to);
    const line = await page.evaluate(() => document.querySelector('textarea').value.split('\n')
      .findIndex((text) => /\bweight\b/.test(text) && !text.trim().startsWith('#')) + 1);
    assert(line > 0, 'a weight in the text');
    const nth = await page.evaluate((index) => document.querySelector('textarea').value.split('\n')[index - 1], line);
    await edit(nth, nth.replace('weight', 'wieght'));
    await page.waitForSelector('.found .error');
    const said = await page.$eval('.found', (found) => found.textContent);
    console.log(`    ${said.replace(/\s+/g, ' ').trim()}`);
    assert(said.includes(`${line}:`), `the line ${line}`);
    assert(said.includes('did you mean `weight`'), 'the nearest word');
    await picture(page, 'mistake');
    const time = await page.evaluate(() => window.page.history.frame.time);
    await at(page, time + 0.5);
    await edit('wieght', 'weight');
    await until(page, () => !window.page.editor.hasErrors);
    await page.evaluate(() => {
      const area = document.querySelector('textarea');
      area.value += '\n# my own\n';
      area.dispatchEvent(new Event('input'));
    });
    await until(page, () => window.page.history.log.some(([, request]) => request.replace));
    assert.equal(await page.$eval('.status', (status) => status.dataset.state), 'ok');
    console.log(`    checked and taken over in ${(await page.evaluate(() => window.page.editor.took)).toFixed(1)} ms`);
    await page.close();
  },

  async 'going back gives the same picture, and another future leaves a ghost'() {
    const page = await visit('#stand');
    await at(page, 0.4);
    await page.click('#shove');
    await at(page, 1);
    await page.evaluate(() => window.page.play(false));
    const frame = await page.evaluate(() => window.page.history.at);
    const taken = () => page.evaluate(() => {
      const { stage, history } = window.page;
      window.eye ??= [stage.camera.position.clone(), stage.controls.target.clone(), stage.focus.clone()];
      const [position, target, focus] = window.eye;
      // Always with the same care, however long pictures take.
      stage.lighten = () => false;
      stage.renderer.setPixelRatio(0.5);
      stage.resize();
      stage.camera.position.copy(position);
      stage.controls.target.copy(target);
      stage.focus.copy(focus);
      stage.switches.ghost = false;
      stage.show(history.frame, null);
      return stage.canvas.toDataURL();
    });
    const [numbers, seen] = [await digest(page), await taken()];
    await page.evaluate(() => window.page.play(true));
    await at(page, 2);
    await page.evaluate((wanted) => window.page.seek(wanted), frame);
    assert(await digest(page) === numbers, 'the same numbers');
    assert(await taken() === seen, 'the same picture');
    // The same future again, frame by frame.
    const equal = await page.evaluate(() => {
      const { history } = window.page;
      for (let count = 0; count < 60; count += 1) {
        const before = JSON.stringify(history.frames[history.at + 1 - history.first]);
        history.step();
        if (JSON.stringify(history.frame) !== before) return false;
      }
      return true;
    });
    assert(equal, 'the same future');
    await page.evaluate((wanted) => {
      window.page.stage.switches.ghost = true;
      window.page.seek(wanted);
      window.page.hand.shove();
      window.page.play(true);
    }, frame);
    await at(page, 1.5);
    assert(await page.evaluate(() => window.page.stage.ghost.group.visible), 'a ghost');
    await picture(page, 'ghost');
    await page.evaluate(() => document.querySelector('[data-panel=plots]').click());
    await at(page, 2.2);
    await picture(page, 'plots');
    await page.close();
  },

  async 'a link holds scene, controller and actions'() {
    const page = await visit('#step_push', undefined, 'dark');
    await at(page, 0.4);
    await page.click('#shove');
    await page.evaluate(() => {
      const area = document.querySelector('textarea');
      area.value += '\n# my own\n';
      area.dispatchEvent(new Event('input'));
    });
    await until(page, () => window.page.history.log.some(([, request]) => request.replace));
    await at(page, 2);
    await page.evaluate(() => window.page.play(false));
    const [numbers, frame] = [await digest(page), await page.evaluate(() => window.page.history.at)];
    await page.click('#share');
    await until(page, () => window.location.hash.startsWith('#v1.'));
    const link = await page.evaluate(() => window.location.hash);
    console.log(`    ${link.length} characters`);
    const other = await visit(link, undefined, 'dark');
    await other.evaluate((wanted) => {
      const { history } = window.page;
      window.page.play(false);
      if (history.at > wanted) window.page.seek(wanted);
      while (history.at < wanted) window.page.step();
    }, frame);
    assert(await digest(other) === numbers, 'the same numbers');
    assert((await other.$eval('textarea', (area) => area.value)).endsWith('# my own\n'));
    await other.evaluate(() => document.querySelector('[data-panel=values]').click());
    await other.evaluate(() => window.page.play(true));
    await at(other, 2.4);
    await picture(other, 'dark');
    await page.close();
    await other.close();
  },

  async 'a link that cannot be opened is told of'() {
    const page = await visit('#v1.no_such_thing');
    await at(page, 0.1);
    await page.close();
    const { pack } = await import('../src/link.js');
    const run = { scene: 'no_such_scene', overrides: [], actions: [], end: 10 };
    const other = await visit(`#${await pack(run, '')}`);
    assert((await other.$eval('#message', (said) => said.textContent)).includes('no_such_scene'));
    await at(other, 0.1);
    await other.close();
  },

  async 'a lost instance is made again'() {
    const page = await visit('#stand');
    await at(page, 1.2);
    await page.evaluate(() => {
      const { engine } = window.page.history;
      const call = engine.call.bind(engine);
      engine.call = (name, ...values) => {
        if (name === 'aplomb_step') call('aplomb_ask', 0xfffffff0, 8);
        return call(name, ...values);
      };
    });
    await until(page, () => !document.querySelector('#message').hidden);
    assert((await page.$eval('#message', (said) => said.textContent)).includes('goes on from the snapshot'));
    assert.equal(await page.evaluate(() => window.page.history.at % 50), 0);
    await page.evaluate(() => window.page.play(true));
    await at(page, 2);
    await page.close();
  },

  async 'what a contact force is for is told, with the line that asks for it'() {
    const page = await visit('#stand');
    await at(page, 0.5);
    await page.evaluate(() => window.page.play(false));
    await page.click('[data-panel=purposes]');
    await until(page, () => document.querySelectorAll('#purposes [data-line]').length > 0);
    const told = await page.evaluate(() => {
      const { history } = window.page;
      const bodies = history.engine.ask('forces');
      const sums = bodies.map(({ force, parts }) =>
        Math.max(...force.map((all, axis) => Math.abs(all - parts.reduce((sum, part) => sum + part.force[axis], 0)))));
      return { off: Math.max(...sums), up: bodies.reduce((sum, { force }) => sum + force[2], 0) };
    });
    assert(told.off < 1e-6, `the parts add up: ${told.off} N`);
    assert(told.up > 500, `they bear the weight: ${told.up} N`);
    await picture(page, 'purposes');
    const line = await page.evaluate(() => document.querySelector('#purposes [data-line]').dataset.line);
    await page.click('#purposes [data-line]');
    const place = await page.evaluate(() => {
      const { area, text } = window.page.editor;
      return { isShown: !document.querySelector('#editor').hidden, line: text.slice(0, area.selectionStart).split('\n').length };
    });
    assert.deepEqual(place, { isShown: true, line: Number(line) });
    await page.evaluate(() => window.page.choose(window.page.history.frame.contacts.at(-1).body));
    await until(page, () => !document.querySelector('#purposes').hidden);
    await page.close();
  },

  async 'every scene opens and moves'() {
    const page = await visit('#stand');
    const all = await page.evaluate(() =>
      window.page.scenes.all.filter((scene) => !scene.isFirst).map((scene) => scene.name));
    for (const name of all) {
      const said = await page.evaluate((scene) => {
        const { page: shown } = window;
        shown.open({ name: scene });
        shown.play(false);
        for (let count = 0; count < 30; count += 1) shown.step();
        shown.stage.focus = null;
        shown.show();
        return document.querySelector('#message').textContent;
      }, name);
      assert.equal(said, '', name);
      await picture(page, `scene_${name}`);
    }
    console.log(`    ${all.length} scenes`);
    await page.close();
  },
};

let failures = 0;
const chosen = process.env.ONLY;
for (const [name, test] of Object.entries(tests)) {
  if (chosen && !name.includes(chosen)) continue;
  try {
    await test();
    assert.deepEqual(errors.splice(0), [], 'errors of the page');
    console.log(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED  ${name}\n${error.stack}\n${errors.splice(0).join('\n')}`);
  }
}
await browser.close();
server.close();
console.log(`${Object.keys(tests).length - failures} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
