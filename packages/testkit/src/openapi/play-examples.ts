/** A call as in the examples of an API. */
export interface ExampleCall {
  /** The name of the example. */
  readonly example: string;
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined without a body. */
  readonly body: unknown;
}

export interface ExampleAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The parts of an operation that the player needs. */
export interface ExampledOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly examples: readonly {
    readonly name: string;
    readonly params?: Readonly<Record<string, string | number>>;
    readonly query?: Readonly<Record<string, string | number | boolean>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly answer: unknown;
  }[];
}

export interface Play {
  readonly send: (call: ExampleCall) => Promise<ExampleAnswer>;
  /** The test's own values for texts of the examples: the id of its project for `p-abcdefghijkm`. */
  readonly known: Readonly<Record<string, string>>;
  /** Prepares the state that the examples of an operation need. */
  readonly before?: Readonly<Record<string, (learn: Learn) => Promise<void>>>;
}

/** Replaces a text of the examples from now on. */
export type Learn = (shown: string, actual: string) => void;

/**
 * Sends every example in order, and throws unless each answer matches its example: the same members with the same
 * values. Times can differ. Unpredictable values (ids, keys, versions) are learnt from the first answer that contains
 * them, and must stay the same. So the id in the answer of one example is the id that the next one sends.
 */
export async function playExamples(operations: readonly ExampledOperation[], play: Play): Promise<number> {
  const learnt = new Map(Object.entries(play.known));
  let played = 0;
  for (const operation of operations) {
    if (operation.examples.length === 0) throw new Error(`${operation.id} has no example`);
    await play.before?.[operation.id]?.((shown, actual) => learnt.set(shown, actual));
    for (const example of operation.examples) {
      const title = `${operation.id}, ${example.name}`;
      const answer = await play.send(callOf(operation, example, learnt));
      if (answer.status !== 200) {
        throw new Error(`${title}: answered ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      compare(example.answer, answer.body, { at: `${title}: answer`, learnt });
      played += 1;
    }
  }
  return played;
}

function callOf(
  { method, path }: ExampledOperation,
  { name: example, params = {}, query = {}, headers = {}, body }: ExampledOperation['examples'][number],
  learnt: ReadonlyMap<string, string>,
): ExampleCall {
  const replaced = (text: string) => learnt.get(text) ?? text;
  const filled = Object.entries(params).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(replaced(String(value)))),
    path,
  );
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, replaced(String(value))]),
  ).toString();
  return {
    example,
    method,
    path: filled + (asked === '' ? '' : `?${asked}`),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, replaced(value)])),
    body: replacedIn(body, replaced),
  };
}

function replacedIn(value: unknown, replaced: (text: string) => string): unknown {
  if (typeof value === 'string') return replaced(value);
  if (Array.isArray(value)) return value.map((item) => replacedIn(item, replaced));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replacedIn(member, replaced)]),
  );
}

interface Spot {
  readonly at: string;
  readonly learnt: Map<string, string>;
}

// Ids, keys, hashes, versions and cursors; and texts that begin like one of our ids.
const unforeseeable =
  /^(?:(?:key )?[0-9a-f]{8}-[0-9a-f-]{27}|tk_[a-z]{3}_\w+|[0-9a-f]{64}|[A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{43}|[A-Z2-7]{32}|otpauth:.*|<svg.*|[a-z2-7]{4}(?:-[a-z2-7]{4}){3}|eyJ[\w.-]+|(?:us|u|p|x)-[\w-]+)$/s;
/** The last characters of a key that another member shows. */
const endOfKey = /^\w{4}$/;
const timeShape = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const unforeseeableNumbers =
  /(?:\.warehouse\.\w+|\bstart|\bexpiry|\babsoluteExpiry|Expires|\bcreated|\blinked|Seconds|Bytes|Ms|\.cost\.\w+)$/;

function compare(shown: unknown, actual: unknown, spot: Spot): void {
  if (typeof shown === 'string' && typeof actual === 'string') compareText(shown, actual, spot);
  else if (Array.isArray(shown) && Array.isArray(actual)) compareLists(shown, actual, spot);
  else if (isRecord(shown) && isRecord(actual)) compareRecords(shown, actual, spot);
  else if (typeof shown === 'number' && typeof actual === 'number' && unforeseeableNumbers.test(spot.at))
    return;
  else if (shown !== actual) fail(spot, shown, actual);
}

function compareText(shown: string, actual: string, spot: Spot): void {
  if (timeShape.test(shown) && timeShape.test(actual)) return;
  if (spot.at.endsWith('.ending') && endOfKey.test(shown) && endOfKey.test(actual)) return;
  const expected = spot.learnt.get(shown);
  if (expected === undefined && unforeseeable.test(shown) && unforeseeable.test(actual)) {
    spot.learnt.set(shown, actual);
  } else if (actual !== (expected ?? shown)) fail(spot, expected ?? shown, actual);
}

function compareLists(shown: readonly unknown[], actual: readonly unknown[], { at, learnt }: Spot): void {
  if (shown.length !== actual.length) fail({ at, learnt }, shown, actual);
  for (const [index, item] of shown.entries())
    compare(item, actual[index], { at: `${at}[${index}]`, learnt });
}

function compareRecords(
  shown: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  { at, learnt }: Spot,
): void {
  const names = Object.keys(shown).toSorted().join();
  if (names !== Object.keys(actual).toSorted().join()) fail({ at, learnt }, shown, actual);
  for (const [name, member] of Object.entries(shown)) {
    compare(member, actual[name], { at: `${at}.${name}`, learnt });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail({ at }: Spot, shown: unknown, actual: unknown): never {
  throw new Error(`${at} should be ${JSON.stringify(shown)} and is ${JSON.stringify(actual)}`);
}
