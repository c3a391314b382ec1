// The package in browsers: the module is fetched.

export * from './engine.js';
export * from './numbers.js';

/** Compiles the module of the engine. */
export async function load(address = new URL('./aplomb.wasm', import.meta.url)) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  // Whatever type the server gives the file.
  return WebAssembly.compile(await response.arrayBuffer());
}
