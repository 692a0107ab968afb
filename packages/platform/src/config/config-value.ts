import type { Variable } from './config-variable.ts';

export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

/** The units that a value is written in, from the largest. */
export const writtenUnits = {
  bytes: [
    ['GiB', 1024 ** 3],
    ['MiB', 1024 ** 2],
    ['KiB', 1024],
    ['', 1],
  ],
  durationMs: [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
    ['ms', 1],
  ],
} as const;
const byteUnits = unitsOf(writtenUnits.bytes, [
  ['b', 1],
  ['kb', 1000],
  ['mb', 1000 ** 2],
  ['gb', 1000 ** 3],
]);
const durationUnits = unitsOf(writtenUnits.durationMs, [['', 1]]);
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['0', false],
  ['no', false],
  ['off', false],
]);

/** The value of a variable's text, or its fault. A fault never contains a secret. */
export function parseValue(variable: Variable, text: string): Parsed {
  switch (variable.type) {
    case 'string':
      if (variable.pattern && !variable.pattern.test(text))
        return fault(`must match ${variable.pattern.source}`);
      return good(text);
    case 'secret':
      if (text.length < (variable.minLength ?? 1))
        return fault(`must have at least ${variable.minLength} characters`);
      return checked(text, variable.check);
    case 'url':
      return parseUrl(text, variable);
    case 'int':
      return parseNumber(text, new Map([['', 1]]), { ...variable, what: 'an integer' });
    case 'bytes':
      return parseNumber(text, byteUnits, { ...variable, what: 'a size such as 512KiB or 8MiB' });
    case 'durationMs':
      return parseNumber(text, durationUnits, { ...variable, what: 'a duration such as 250ms, 30s or 2h' });
    case 'boolean': {
      const value = booleans.get(text.toLowerCase());
      return value === undefined ? fault('must be true or false') : good(value);
    }
    case 'list':
      return parseList(text, variable.check);
    case 'enum':
      return variable.values.includes(text)
        ? good(text)
        : fault(`must be one of ${variable.values.join(', ')}`);
  }
}

function good(value: unknown): Parsed {
  return { ok: true, value };
}

function fault(text: string): Parsed {
  return { ok: false, fault: text };
}

// The text is not repeated in faults: it may hold a password.
function parseUrl(text: string, { protocols, check }: Extract<Variable, { type: 'url' }>): Parsed {
  if (!URL.canParse(text)) return fault('must be a URL');
  const { protocol } = new URL(text);
  if (protocols && !protocols.includes(protocol)) {
    return fault(`must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}`);
  }
  return checked(text, check);
}

function checked(text: string, check: ((text: string) => string | null) | undefined): Parsed {
  const wrong = check?.(text) ?? null;
  return wrong === null ? good(text) : fault(wrong);
}

function parseNumber(
  text: string,
  units: ReadonlyMap<string, number>,
  rules: { readonly min?: number; readonly max?: number; readonly what: string },
): Parsed {
  const match = /^([+-]?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text);
  const unit = units.get((match?.[2] ?? '').toLowerCase());
  if (!match || unit === undefined) return fault(`must be ${rules.what}`);
  const value = Number(match[1]) * unit;
  if (!Number.isSafeInteger(value)) return fault(`must be ${rules.what}`);
  if (rules.min !== undefined && value < rules.min) return fault(`must be at least ${rules.min}`);
  if (rules.max !== undefined && value > rules.max) return fault(`must be at most ${rules.max}`);
  return good(value === 0 ? 0 : value);
}

function unitsOf(
  ...tables: readonly (readonly (readonly [string, number])[])[]
): ReadonlyMap<string, number> {
  return new Map(tables.flat().map(([unit, size]) => [unit.toLowerCase(), size]));
}

function parseList(text: string, check: ((item: string) => string | null) | undefined): Parsed {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const item of items) {
    const wrong = check?.(item) ?? null;
    if (wrong !== null) return fault(`'${item}': ${wrong}`);
  }
  return good(items);
}
