// Serves the page, or another folder, on this machine alone: node serve.mjs [PORT] [FOLDER]

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm',
  '.json': 'application/json', '.png': 'image/png', '.gif': 'image/gif',
};
const dist = path.join(import.meta.dirname, 'dist');

/** A server of a folder, listening. Port 0 is any that is free. */
export async function serve(port = 0, folder = dist) {
  const server = http.createServer((request, response) => {
    const name = path.normalize(decodeURIComponent(new URL(request.url, 'http://local').pathname));
    const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
    fs.readFile(file, (error, bytes) => {
      response.writeHead(error ? 404 : 200, { 'content-type': TYPES[path.extname(file)] ?? 'text/plain' });
      response.end(error ? 'not found' : bytes);
    });
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const server = await serve(Number(process.argv[2] ?? 8080), process.argv[3]);
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
