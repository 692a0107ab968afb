import { listOf, objectOf } from './document-parts.ts';
import { type Html, html, joinHtml, prose } from './html.ts';
import type { Json, JsonObject } from './openapi-document.ts';

/** Renders a schema: its type in a word, and the members of an object, folded below the first level. */
export function renderMembers(schema: Json, document: JsonObject, depth = 0): Html {
  const shape = resolve(schema, document);
  const inner = membersOf(shape, document);
  if (inner === null || Object.keys(inner.members).length === 0) {
    return html`<code>${typeOf(shape, document)}</code>${noteOf(shape)}`;
  }
  const rows = Object.entries(inner.members).map(([name, member]) => {
    const marks = inner.required.includes(name) ? '' : ' optional';
    return html`<tr><td><code>${name}</code><span class="soft">${marks}</span></td>
<td>${depth > 4 ? html`<code>…</code>` : renderMembers(member, document, depth + 1)}</td></tr>`;
  });
  const table = html`<div class="scroll"><table><tbody>${joinHtml(rows)}</tbody></table></div>`;
  if (depth === 0) return table;
  return html`<details><summary><code>${typeOf(shape, document)}</code>${noteOf(shape)}</summary>${table}</details>`;
}

interface Members {
  readonly members: JsonObject;
  readonly required: readonly Json[];
}

/** The object itself, the items of an array, or the only alternative that is not null. */
function membersOf(shape: JsonObject, document: JsonObject): Members | null {
  if (shape['properties'] !== undefined) {
    return { members: objectOf(shape['properties']), required: listOf(shape['required']) };
  }
  const inner = shape['items'] ?? soleAlternative(shape);
  return inner === null ? null : membersOf(resolve(inner, document), document);
}

function soleAlternative(shape: JsonObject): Json | null {
  const alternatives = listOf(shape['anyOf']).filter((each) => objectOf(each)['type'] !== 'null');
  return alternatives.length === 1 ? (alternatives[0] ?? null) : null;
}

function typeOf(shape: JsonObject, document: JsonObject): string {
  const alternatives = listOf(shape['anyOf']);
  if (alternatives.length > 0) {
    return alternatives.map((each) => typeOf(resolve(each, document), document)).join(' or ');
  }
  if (Array.isArray(shape['enum'])) return shape['enum'].map((value) => JSON.stringify(value)).join(' | ');
  if (shape['const'] !== undefined) return JSON.stringify(shape['const']);
  const items = shape['items'];
  if (shape['type'] === 'array' && items !== undefined) {
    return `list of ${typeOf(resolve(items, document), document)}`;
  }
  const format = typeof shape['format'] === 'string' ? ` (${shape['format']})` : '';
  return (typeof shape['type'] === 'string' ? shape['type'] : 'any') + format;
}

const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern', 'default'] as const;

function noteOf(shape: JsonObject): Html {
  const limits = bounds.flatMap((name) =>
    shape[name] === undefined
      ? []
      : [`${name} ${name === 'pattern' ? shape[name] : JSON.stringify(shape[name])}`],
  );
  const description = typeof shape['description'] === 'string' ? [shape['description']] : [];
  const notes = [...description, ...limits].join('; ');
  return notes === '' ? html`` : html` <span class="soft">${prose(notes)}</span>`;
}

function resolve(schema: Json, document: JsonObject): JsonObject {
  const shape = objectOf(schema);
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(shape['$ref'] ?? ''))?.[1];
  if (name === undefined) return shape;
  return objectOf(objectOf(objectOf(document['components'])['schemas'])[name]);
}
