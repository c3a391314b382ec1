// The package in node: the module is a file beside this one.

import { readFile } from 'node:fs/promises';

export * from './engine.js';
export * from './numbers.js';

/** Compiles the module of the engine. */
export async function load(address = new URL('./aplomb.wasm', import.meta.url)) {
  return WebAssembly.compile(await readFile(address));
}
