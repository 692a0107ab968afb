import { renderExamples } from './example-html.ts';
import { type Html, html, joinHtml, prose } from './html.ts';
import type { Json, JsonObject } from './openapi-document.ts';
import { pageStyle } from './page-style.ts';
import { renderMembers } from './schema-html.ts';

/** Renders an OpenAPI document as a self-contained page: no script, no font, no other server. */
export function renderDocumentPage(document: JsonObject): string {
  const info = object(document['info']);
  const groups = groupByTag(document);
  const title = text(info['title']);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: pageStyle }}</style>
</head>
<body>
<nav aria-label="Calls">
<p><strong>${title}</strong><br><a href="/openapi.json">openapi.json</a></p>
${joinHtml(groups.map(renderIndex))}
</nav>
<main>
<h1>${title} <span class="soft">${text(info['version'])}</span></h1>
${joinHtml(paragraphs(text(info['description'])))}
${joinHtml(groups.map((group) => renderGroup(group, document)))}
</main>
</body>
</html>
`.html;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly calls: readonly Call[];
}

function groupByTag(document: JsonObject): Group[] {
  const calls = Object.entries(object(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(object(methods)).map(
      ([method, operation]): Call => ({ method: method.toUpperCase(), path, operation: object(operation) }),
    ),
  );
  return list(document['tags']).map((tag) => {
    const name = text(object(tag)['name']);
    const own = calls.filter(({ operation }) => list(operation['tags']).includes(name));
    return { name, description: text(object(tag)['description']), calls: own };
  });
}

function renderIndex({ name, calls }: Group): Html {
  const items = calls.map(
    ({ operation }) =>
      html`<li><a href="#${text(operation['operationId'])}">${text(operation['summary'])}</a></li>`,
  );
  return html`<h2>${name}</h2><ul>${joinHtml(items)}</ul>`;
}

function renderGroup({ name, description, calls }: Group, document: JsonObject): Html {
  return html`<section><h2>${name}</h2><p>${prose(description)}</p>
${joinHtml(calls.map((call) => renderCall(call, document)))}</section>`;
}

function renderCall(call: Call, document: JsonObject): Html {
  const { method, path, operation } = call;
  return html`<article id="${text(operation['operationId'])}">
<h3>${text(operation['summary'])}</h3>
<p class="call"><code><span class="method">${method}</span> ${path}</code></p>
${joinHtml(paragraphs(text(operation['description'])))}
${renderParameters(list(operation['parameters']), document)}
${renderContent('Body', operation['requestBody'], document)}
${renderContent('Answer', object(operation['responses'])['200'], document)}
${renderExamples({ method, path, operation })}
${renderRefusals(object(operation['responses']))}
</article>`;
}

function renderParameters(parameters: readonly Json[], document: JsonObject): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((each) => {
    const parameter = object(each);
    const required = parameter['required'] === true ? 'required' : '';
    const schema = parameter['schema'] ?? null;
    // The schema of a parameter may repeat this description.
    const isRepeated = object(schema)['description'] === parameter['description'];
    const described = isRepeated ? '' : text(parameter['description']);
    return html`<tr><td><code>${text(parameter['name'])}</code></td><td>${text(parameter['in'])} ${required}</td>
<td>${renderMembers(schema, document)} ${prose(described)}</td></tr>`;
  });
  return html`<h4>Parameters</h4><div class="scroll"><table><tbody>${joinHtml(rows)}</tbody></table></div>`;
}

function renderContent(heading: string, part: Json | undefined, document: JsonObject): Html {
  const [found] = Object.entries(object(object(part)['content']));
  if (found === undefined) return html``;
  const [type, media] = found;
  return html`<h4>${heading} <span class="soft">${type}</span></h4>
${renderMembers(object(media)['schema'] ?? null, document)}`;
}

function renderRefusals(responses: JsonObject): Html {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    status === '200'
      ? []
      : text(object(response)['description'])
          .split('\n')
          .map((sentence) => sentence.replace(/^- /, ''))
          .map((sentence) => html`<tr><td>${status}</td><td>${prose(sentence)}</td></tr>`),
  );
  return html`<details><summary>Errors</summary><div class="scroll"><table><tbody>${joinHtml(rows)}</tbody></table></div></details>`;
}

/** Splits paragraphs at blank lines. */
function paragraphs(description: string): Html[] {
  return description
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => html`<p>${prose(part)}</p>`);
}

function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
