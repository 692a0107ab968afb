import { listOf, objectOf, textOf } from './document-parts.ts';
import { renderExamples } from './example-html.ts';
import { type Html, html, joinHtml, prose } from './html.ts';
import type { Json, JsonObject } from './openapi-document.ts';
import { pageStyle } from './page-style.ts';
import { renderMembers } from './schema-html.ts';

/** Renders an OpenAPI document as a self-contained page: no script, no font, no other server. */
export function renderDocumentPage(document: JsonObject): string {
  const info = objectOf(document['info']);
  const groups = groupByTag(document);
  const title = textOf(info['title']);
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
<h1>${title} <span class="soft">${textOf(info['version'])}</span></h1>
${joinHtml(paragraphs(textOf(info['description'])))}
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
  const calls = Object.entries(objectOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(
      ([method, operation]): Call => ({ method: method.toUpperCase(), path, operation: objectOf(operation) }),
    ),
  );
  return listOf(document['tags']).map((tag) => {
    const name = textOf(objectOf(tag)['name']);
    const own = calls.filter(({ operation }) => listOf(operation['tags']).includes(name));
    return { name, description: textOf(objectOf(tag)['description']), calls: own };
  });
}

function renderIndex({ name, calls }: Group): Html {
  const items = calls.map(
    ({ operation }) =>
      html`<li><a href="#${textOf(operation['operationId'])}">${textOf(operation['summary'])}</a></li>`,
  );
  return html`<h2>${name}</h2><ul>${joinHtml(items)}</ul>`;
}

function renderGroup({ name, description, calls }: Group, document: JsonObject): Html {
  return html`<section><h2>${name}</h2><p>${prose(description)}</p>
${joinHtml(calls.map((call) => renderCall(call, document)))}</section>`;
}

function renderCall(call: Call, document: JsonObject): Html {
  const { method, path, operation } = call;
  return html`<article id="${textOf(operation['operationId'])}">
<h3>${textOf(operation['summary'])}</h3>
<p class="call"><code><span class="method">${method}</span> ${path}</code></p>
${joinHtml(paragraphs(textOf(operation['description'])))}
${renderParameters(listOf(operation['parameters']), document)}
${renderContent('Body', operation['requestBody'], document)}
${renderContent('Answer', objectOf(operation['responses'])['200'], document)}
${renderExamples({ method, path, operation })}
${renderRefusals(objectOf(operation['responses']))}
</article>`;
}

function renderParameters(parameters: readonly Json[], document: JsonObject): Html {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((each) => {
    const parameter = objectOf(each);
    const required = parameter['required'] === true ? 'required' : '';
    const schema = parameter['schema'] ?? null;
    // The schema of a parameter may repeat this description.
    const isRepeated = objectOf(schema)['description'] === parameter['description'];
    const described = isRepeated ? '' : textOf(parameter['description']);
    return html`<tr><td><code>${textOf(parameter['name'])}</code></td><td>${textOf(parameter['in'])} ${required}</td>
<td>${renderMembers(schema, document)} ${prose(described)}</td></tr>`;
  });
  return html`<h4>Parameters</h4><div class="scroll"><table><tbody>${joinHtml(rows)}</tbody></table></div>`;
}

function renderContent(heading: string, part: Json | undefined, document: JsonObject): Html {
  const [found] = Object.entries(objectOf(objectOf(part)['content']));
  if (found === undefined) return html``;
  const [type, media] = found;
  return html`<h4>${heading} <span class="soft">${type}</span></h4>
${renderMembers(objectOf(media)['schema'] ?? null, document)}`;
}

function renderRefusals(responses: JsonObject): Html {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    status === '200'
      ? []
      : textOf(objectOf(response)['description'])
          .split('\n')
          .map((sentence) => sentence.replace(/^- /, ''))
          .map((sentence) => html`<tr><td>${status}</td><td>${prose(sentence)}</td></tr>`),
  );
  return html`<details><summary>Errors</summary><div class="scroll"><table><tbody>${joinHtml(rows)}</tbody></table></div></details>`;
}

function paragraphs(description: string): Html[] {
  return description
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => html`<p>${prose(part)}</p>`);
}
