import { listOf, objectOf } from './document-parts.ts';
import { type Html, html, joinHtml } from './html.ts';
import type { Json, JsonObject } from './openapi-document.ts';

export interface DescribedCall {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

/** Renders the examples of a call as commands to paste, each with its answer. */
export function renderExamples(call: DescribedCall): Html {
  const answers = examplesIn(call.operation['responses'], '200');
  const shown = Object.entries(answers).map(
    ([name, answer]) => html`<h4>Example: ${name}</h4>
<pre tabindex="0"><code>${commandOf(call, name)}</code></pre>
<pre tabindex="0"><code>${JSON.stringify(exampleValue(answer), null, 2)}</code></pre>`,
  );
  return joinHtml(shown);
}

function commandOf({ method, path, operation }: DescribedCall, name: string): string {
  const parameters = listOf(operation['parameters']).map(objectOf);
  const given = (place: string) =>
    parameters.flatMap((parameter) => {
      const example = objectOf(parameter['examples'])[name];
      return parameter['in'] === place && example !== undefined
        ? [[String(parameter['name']), String(exampleValue(example))] as const]
        : [];
    });
  const filled = given('path').reduce(
    (url, [parameter, value]) => url.replace(`{${parameter}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(
    given('query').map(([parameter, value]) => [parameter, value]),
  ).toString();
  const body = examplesIn(operation['requestBody'], null)[name];
  return [
    `curl -X ${method} "$TICKRATE${filled}${query === '' ? '' : `?${query}`}"`,
    ...(Array.isArray(operation['security']) ? [] : ['-H "X-API-Key: $KEY"']),
    ...given('header').map(([header, value]) => `-H "${header}: ${value}"`),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json" -d ${shellQuoted(exampleValue(body))}`]),
  ].join(' \\\n  ');
}

function shellQuoted(value: Json): string {
  return `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
}

function examplesIn(part: Json | undefined, status: string | null): JsonObject {
  const holder = status === null ? objectOf(part) : objectOf(objectOf(part)[status]);
  const [media] = Object.values(objectOf(holder['content']));
  return objectOf(objectOf(media)['examples']);
}

function exampleValue(example: Json): Json {
  return objectOf(example)['value'] ?? null;
}
