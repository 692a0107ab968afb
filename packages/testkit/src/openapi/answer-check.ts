import { Ajv2020 } from 'ajv/dist/2020.js';

/** An answer that a test received from a server with an OpenAPI document. */
export interface ReceivedAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Decoded. */
  readonly body: unknown;
}

export type AnswerCheck = (answer: ReceivedAnswer) => void;

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member
type Document = any;

const undescribed = /^\/(?:health\/|metrics$|openapi\.json$|docs$)/;

/** Throws, with all faults, for an answer that does not match the document. */
export function createAnswerCheck(document: Document): AnswerCheck {
  const schemas = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  schemas.addSchema({ ...document, $id: 'document' });
  const paths = Object.entries<Document>(document.paths)
    .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }))
    .sort((a, b) => parametersIn(a.path) - parametersIn(b.path));

  function checkBody(pointer: string, answer: ReceivedAnswer): void {
    const validate = schemas.getSchema(`document#${pointer}`);
    if (validate === undefined) throw new Error(`The document has nothing at ${pointer}`);
    if (validate(answer.body) === true) return;
    throw new Error(`${describe(answer)} is not as described: ${schemas.errorsText(validate.errors)}`);
  }

  function checkDescribed(answer: ReceivedAnswer, operation: Document, place: readonly string[]): void {
    const response = operation.responses[String(answer.status)];
    if (response === undefined) throw new Error(`${describe(answer)}: the document knows no such status`);
    const type = (answer.contentType ?? '').split(';', 1)[0] ?? '';
    if (answer.status !== 200) checkRefusal(answer, response, { checkBody, type });
    else if (response.content[type] === undefined) throw new Error(`${describe(answer)} is of type ${type}`);
    else if (type.endsWith('/json')) {
      const at = [...place, 'responses', '200', 'content', type, 'schema'];
      checkBody(`/${at.map(pointerPart).join('/')}`, answer);
    }
  }

  return (answer) => {
    const path = documentedPath(document, answer.path.split('?', 1)[0] ?? '');
    const method = answer.method.toLowerCase();
    if (undescribed.test(path) || method === 'options' || method === 'head') return;
    const found = paths.find(({ pattern }) => pattern.test(path));
    const operation = found?.methods[method];
    if (found !== undefined && operation !== undefined) {
      checkDescribed(answer, operation, ['paths', found.path, method]);
      return;
    }
    expectStatus(answer, found === undefined ? [400, 404, 408] : [400, 405, 408]);
    checkBody('/components/schemas/SystemError', answer);
  };
}

/** The same call may also be served under other prefixes. */
function documentedPath(document: Document, path: string): string {
  const aliases: readonly { path: string; of: string }[] = document['x-tickrate-aliases'] ?? [];
  const alias = aliases.find((each) => path.startsWith(`${each.path}/`));
  return alias === undefined ? path : alias.of + path.slice(alias.path.length);
}

interface Refusal {
  readonly type: string;
  readonly checkBody: (pointer: string, answer: ReceivedAnswer) => void;
}

function checkRefusal(answer: ReceivedAnswer, response: Document, { type, checkBody }: Refusal): void {
  const name = type === 'application/problem+json' ? 'Problem' : 'SystemError';
  checkBody(`/components/schemas/${name}`, answer);
  const { reason } = (answer.body as { data: { reason: string } }).data;
  const known: string[] = response['x-tickrate-reasons'];
  if (!known.includes(reason)) {
    throw new Error(`${describe(answer)}: ${reason} is not among ${known.join(', ')}`);
  }
}

function expectStatus(answer: ReceivedAnswer, allowed: readonly number[]): void {
  if (!allowed.includes(answer.status)) throw new Error(`${describe(answer)} is not described`);
}

function describe({ method, path, status, body }: ReceivedAnswer): string {
  return `${status} of ${method} ${path} ${JSON.stringify(body)?.slice(0, 500)}`;
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}/?$`, 'i');
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
