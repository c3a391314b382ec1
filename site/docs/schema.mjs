// A JSON Schema as a page: a section for each kind of table, with its keys.

import GithubSlugger from 'github-slugger';
import { escape, inline } from './markdown.mjs';

/** Name of a schema that is defined under `$defs`. */
const named = (schema) => decodeURIComponent(schema.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1] ?? '');

const code = (value) => `<code>${escape(JSON.stringify(value))}</code>`;

/** What a schema allows, in a few words of HTML. `anchor` gives the address of a definition. */
export function words(schema, anchor) {
  if (schema === true || Object.keys(schema).every((key) => ['description', 'default', 'title'].includes(key))) {
    return 'anything';
  }
  const name = named(schema);
  if (name) return `<a href="#${anchor(name)}">${escape(name)}</a>`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(' or ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map((choice) => words(choice, anchor)))].join(' or ');
  if (schema.allOf) return schema.allOf.map((part) => words(part, anchor)).join(' and ');
  const type = [schema.type ?? 'object'].flat();
  return type.map((each) => {
    if (each === 'array') {
      const of = schema.items ? words(schema.items, anchor) : 'anything';
      const { minItems: least, maxItems: most } = schema;
      return `list of ${least !== undefined && least === most ? `${least} × ` : ''}${of}`;
    }
    if (each !== 'object') return each;
    if (schema.properties) {
      return `table of ${Object.keys(schema.properties).map((key) => `<code>${escape(key)}</code>`).join(', ')}`;
    }
    const values = schema.additionalProperties;
    return values && values !== true ? `table of any names: ${words(values, anchor)}` : 'table';
  }).join(' or ');
}

function rows(schema, anchor) {
  const required = new Set(schema.required);
  return Object.entries(schema.properties).map(([key, value]) => {
    const initial = value.default === undefined ? '<td></td>' : `<td class="initial">${code(value.default)}</td>`;
    return `<tr><td><code>${escape(key)}</code></td><td>${words(value, anchor)}</td>`
      + (required.has(key) ? '<td>required</td>' : initial)
      + `<td>${inline(value.description ?? '')}</td></tr>`;
  });
}

/** Tables of the keys of a schema: its own, and those of each of its alternatives. */
function tables(schema, anchor) {
  const own = schema.properties
    ? ['<div class="wide"><table class="prose"><thead><tr><th>key</th><th>value</th><th>default</th><th>what it is</th></tr></thead>'
      + `<tbody>${rows(schema, anchor).join('\n')}</tbody></table></div>`]
    : [];
  const choices = (schema.oneOf ?? schema.anyOf ?? []).map((choice) => {
    const text = choice.description ? `${inline(choice.description)} ` : '';
    return choice.properties
      ? `<p>${text}${choice.title ? `(${escape(choice.title)})` : ''}</p>${tables(choice, anchor)}`
      : `<p>${words(choice, anchor)}${text ? `: ${text}` : ''}</p>`;
  });
  const parts = [...own, ...choices];
  return parts.length ? parts.join('\n') : `<p>${words(schema, anchor)}</p>`;
}

/** The page of a schema: HTML and headings. */
export function schemaPage(schema) {
  const names = Object.keys(schema.$defs ?? {});
  const slugger = new GithubSlugger();
  const anchors = new Map(names.map((name) => [name, slugger.slug(name)]));
  const anchor = (name) => anchors.get(name) ?? name;
  const section = (name) => {
    const part = schema.$defs[name];
    const about = part.description ? `<p>${inline(part.description)}</p>` : '';
    return `<h2 id="${anchor(name)}">${escape(name)}</h2>\n${about}\n${tables(part, anchor)}`;
  };
  const about = schema.description ? `<p>${inline(schema.description)}</p>` : '';
  return {
    html: [about, tables(schema, anchor), ...names.map(section)].join('\n'),
    headings: names.map((name) => ({ level: 2, id: anchor(name), words: name })),
  };
}
