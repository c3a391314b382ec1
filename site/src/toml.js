// Colours for the text of a controller.

const TOKEN = new RegExp([
  /(#.*$)/,
  /("(?:[^"\\]|\\.)*"?|'[^']*'?)/,
  /^(\s*\[\[?[^\]\n]*\]?\]?)/,
  /^(\s*[\w."'-]+)(?=\s*=)/,
  /(\b(?:true|false)\b|[+-]?\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/,
].map((part) => part.source).join('|'), 'gm');
const CLASSES = ['comment', 'string', 'section', 'key', 'number'];
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const escape = (text) => text.replace(/[&<>]/g, (sign) => ESCAPES[sign]);

/** The text as HTML with classes. */
export function highlighted(text) {
  let html = '';
  let done = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = CLASSES[match.slice(1).findIndex((group) => group !== undefined)];
    html += `${escape(text.slice(done, match.index))}<span class="${kind}">${escape(match[0])}</span>`;
    done = match.index + match[0].length;
  }
  return html + escape(text.slice(done));
}
