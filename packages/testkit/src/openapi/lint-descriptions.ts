// biome-ignore lint/suspicious/noExplicitAny: a document is looked into member by member
type Document = any;

/**
 * Faults of a document that mislead a generated client or a validator, and that other linters do not find: one line for
 * each, with its place. Members in `asSent` are returned as the client sent them, without the members that it left out.
 */
export function lintDescriptions(document: Document, asSent: readonly string[] = []): string[] {
  const problems: string[] = [];
  for (const [path, methods] of Object.entries<Document>(document.paths)) {
    for (const [method, operation] of Object.entries<Document>(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const report = (what: string) => problems.push(`${at}: ${what}`);
      lintParameters(operation, report);
      // An edit names what it changes, and nothing else.
      if (method !== 'patch') lintBody(document, operation, report);
      lintResponses(document, operation, { report, asSent });
    }
  }
  return problems;
}

type Report = (what: string) => void;

/** A text has a pattern, a format or a maximum length; a number has a range. */
function lintParameters({ parameters = [] }: Document, report: Report): void {
  for (const { name, in: place, schema } of parameters) {
    for (const one of alternatives(schema)) {
      if (!isBounded(one, place)) report(`the ${place} parameter ${name} may be anything`);
    }
  }
}

function isBounded(schema: Document, place: string): boolean {
  const { type, pattern, format, maxLength, minimum, maximum } = schema;
  if (schema.enum !== undefined || schema.const !== undefined || type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum !== undefined && maximum !== undefined;
  const isShaped = pattern !== undefined || format !== undefined;
  return isShaped || (place !== 'header' && maxLength !== undefined);
}

/** A required body has required members, and a body that is not JSON is described as text. */
function lintBody(document: Document, { requestBody }: Document, report: Report): void {
  for (const [type, { schema }] of Object.entries<Document>(requestBody?.content ?? {})) {
    const body = resolved(document, schema);
    if (!isJson(type)) lintText(type, body, report);
    else if (requestBody.required && isClosedObject(body) && !namesRequired(body)) {
      report('the body has to be sent, and nothing in it');
    }
  }
}

const refusals = [
  'application/json #/components/schemas/SystemError',
  'application/problem+json #/components/schemas/Problem',
];

function lintResponses(document: Document, { responses }: Document, { report, asSent }: Reporting): void {
  for (const [status, { content = {} }] of Object.entries<Document>(responses)) {
    if (Number(status) >= 400) {
      lintRefusal(content, (what) => report(`${status} ${what}`));
      continue;
    }
    for (const [type, { schema }] of Object.entries<Document>(content)) {
      if (!isJson(type)) lintText(type, resolved(document, schema), report);
      else lintAnswer(document, schema, { at: status, report, asSent, seen: new Set() });
    }
  }
}

function lintRefusal(content: Document, report: Report): void {
  const described = Object.entries<Document>(content).map(([type, { schema }]) => `${type} ${schema?.$ref}`);
  for (const each of refusals) if (!described.includes(each)) report(`is not described as ${each}`);
}

function lintText(type: string, schema: Document, report: Report): void {
  if (schema.type !== 'string') report(`${type} is described as ${schema.type ?? 'anything'}, not as text`);
}

interface Reporting {
  readonly report: Report;
  readonly asSent: readonly string[];
}

interface Walk extends Reporting {
  readonly at: string;
  readonly seen: Set<unknown>;
}

/** Objects of an answer declare which of their members are always present. */
function lintAnswer(document: Document, given: Document, { at, report, asSent, seen }: Walk): void {
  const schema = resolved(document, given);
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const isVague = isClosedObject(schema) && schema.required === undefined;
  if (isVague) report(`${at} may be without all of ${Object.keys(schema.properties)}`);
  for (const [name, member] of Object.entries<Document>(schema.properties ?? {})) {
    if (asSent.includes(name)) continue;
    lintAnswer(document, member, { at: `${at}.${name}`, report, asSent, seen });
  }
  for (const each of [schema.items, ...(schema.anyOf ?? [])])
    lintAnswer(document, each, { at, report, asSent, seen });
}

function alternatives(schema: Document): Document[] {
  return (schema.anyOf ?? [schema]).filter((each: Document) => each.type !== 'null');
}

function isClosedObject({ properties }: Document): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

function namesRequired({ required, anyOf = [] }: Document): boolean {
  return required !== undefined || anyOf.some((each: Document) => each.required !== undefined);
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

function resolved(document: Document, schema: Document): Document {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema?.$ref ?? '')?.[1];
  return name === undefined ? schema : document.components.schemas[name];
}
