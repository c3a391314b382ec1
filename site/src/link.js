// A run as a link: scene, controller and actions, packed into the part of the address that no server sees.

const VERSION = 'v1.';

/** The bytes through a stream that packs or unpacks. */
async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function toBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

/** A text by what is other than in one before: lengths of the same beginning and of the same end, and what is between. */
export function difference(before, text) {
  const most = Math.min(before.length, text.length);
  let start = 0;
  while (start < most && before[start] === text[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === text.at(-1 - end)) end += 1;
  return [start, end, text.slice(start, text.length - end)];
}

/** The text again. */
export function patched(before, [start, end, middle]) {
  return before.slice(0, start) + middle + before.slice(before.length - end);
}

/** Texts of `replace` in a row, each by its difference from the one before. */
function mapTexts(actions, first, change) {
  let before = first;
  return actions.map(([frame, request]) => {
    if (!request.replace) return [frame, request];
    const [given, text] = change(before, request.replace.text);
    before = text;
    return [frame, { replace: { text: given } }];
  });
}

/**
 * Packs a run: `{scene, overrides, controller, actions, end}`; `shipped` is the text of the scene's own controller, from
 * which the texts differ little.
 */
export async function pack({ scene, overrides, controller, actions, end }, shipped) {
  const first = controller ?? shipped;
  const plain = {
    scene,
    ...(overrides?.length && { overrides }),
    ...(controller !== undefined && controller !== shipped && { controller: difference(shipped, controller) }),
    actions: mapTexts(actions, first, (before, text) => [difference(before, text), text]),
    end,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(plain));
  return VERSION + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
}

/** What a link holds, texts still as differences; `null` where it is none of ours. */
export async function unpack(fragment) {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(VERSION)) return null;
  try {
    const bytes = await through(fromBase64(text.slice(VERSION.length)), new DecompressionStream('deflate-raw'));
    const run = JSON.parse(new TextDecoder().decode(bytes));
    return typeof run.scene === 'string' && Array.isArray(run.actions) ? run : null;
  } catch {
    return null;
  }
}

/** The texts of a run, from its differences and the text of the scene's own controller. */
export function whole(run, shipped) {
  const controller = run.controller && patched(shipped, run.controller);
  const actions = mapTexts(run.actions, controller ?? shipped, (before, change) => {
    const text = patched(before, change);
    return [text, text];
  });
  return { controller, actions };
}
