import {
  type Annotations,
  type BooleanShape,
  createPattern,
  type IntegerFormat,
  type IntegerShape,
  integerRange,
  type NumberShape,
  type Pattern,
  type StringFormat,
  type StringShape,
} from '../shape.ts';
import { fault, type Place } from './declaration-faults.ts';

export type Keywords = Readonly<Record<string, unknown>>;

export interface Head {
  readonly nullable: boolean;
  readonly annotations: Annotations;
}

const stringFormats = new Set<string>(['date-time', 'date', 'uuid', 'ipv4', 'ipv6', 'email', 'uri']);
const integerFormats = new Set<string>(['int32', 'int64', 'uint64']);
const patternLengthAtMost = 512;

export function readString(keywords: Keywords, place: Place, head: Head): StringShape {
  const format = readFormat(keywords, place, stringFormats);
  const minLength = readCount(keywords, place, 'minLength') ?? 0;
  const maxLength = readCount(keywords, place, 'maxLength') ?? Number.POSITIVE_INFINITY;
  if (minLength > maxLength) fault(place, 'minLength', 'is greater than maxLength');
  return {
    kind: 'string',
    ...head,
    format: format as StringFormat | null,
    minLength,
    maxLength,
    pattern: readPattern(keywords, place),
    allowed: readAllowed(keywords, place, { kind: 'string', ...head }),
  };
}

export function readInteger(keywords: Keywords, place: Place, head: Head): IntegerShape {
  const format = readFormat(keywords, place, integerFormats) as IntegerFormat | null;
  const range = integerRange[format ?? 'int64'];
  const bounds = readBounds(keywords, place);
  const lowest = bounds.minimum ?? Number.NEGATIVE_INFINITY;
  const highest = bounds.maximum ?? Number.POSITIVE_INFINITY;
  const above = bounds.exclusiveMinimum ?? Number.NEGATIVE_INFINITY;
  const below = bounds.exclusiveMaximum ?? Number.POSITIVE_INFINITY;
  const minimum = largest(range.minimum, ceiling(lowest), next(above, 1n));
  const maximum = smallest(range.maximum, floor(highest), next(below, -1n));
  if (minimum > maximum) fault(place, '', 'no integer lies between the bounds');
  const step = readStep(keywords, place);
  if (step !== null && !Number.isInteger(step))
    fault(place, 'multipleOf', 'must be an integer for this type');
  return {
    kind: 'integer',
    ...head,
    format,
    minimum,
    maximum,
    multipleOf: step !== null && Number.isInteger(step) ? BigInt(step) : null,
    allowed: readAllowed(keywords, place, { kind: 'integer', ...head }),
  };
}

/** Not even by the widest member. Integers beyond 64 bits would all fall together in a set. */
function canBeHeld(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value <= 2 ** 64;
}

export function readNumber(keywords: Keywords, place: Place, head: Head): NumberShape {
  const bounds = readBounds(keywords, place);
  return {
    kind: 'number',
    ...head,
    minimum: bounds.minimum ?? Number.NEGATIVE_INFINITY,
    maximum: bounds.maximum ?? Number.POSITIVE_INFINITY,
    exclusiveMinimum: bounds.exclusiveMinimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMaximum: bounds.exclusiveMaximum ?? Number.POSITIVE_INFINITY,
    multipleOf: readStep(keywords, place),
    allowed: readAllowed(keywords, place, { kind: 'number', ...head }),
  };
}

export function readBoolean(keywords: Keywords, place: Place, head: Head): BooleanShape {
  return {
    kind: 'boolean',
    ...head,
    allowed: readAllowed(keywords, place, { kind: 'boolean', ...head }),
  };
}

export function readCount(keywords: Keywords, place: Place, keyword: string): number | null {
  const value = keywords[keyword];
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  fault(place, keyword, 'must be a whole number of at least 0');
  return null;
}

function readFormat(keywords: Keywords, place: Place, known: ReadonlySet<string>): string | null {
  const value = keywords['format'];
  if (value === undefined) return null;
  if (typeof value === 'string' && known.has(value)) return value;
  fault(place, 'format', `must be one of ${[...known].join(', ')}`);
  return null;
}

function readPattern(keywords: Keywords, place: Place): Pattern | null {
  const source = keywords['pattern'];
  if (source === undefined) return null;
  if (typeof source !== 'string' || source.length > patternLengthAtMost) {
    fault(place, 'pattern', `must be a string of at most ${patternLengthAtMost} characters`);
    return null;
  }
  if (source.includes('(?<=') || source.includes('(?<!')) {
    fault(place, 'pattern', 'look-behind is not supported');
    return null;
  }
  const known = place.patterns.get(source)?.pattern;
  if (known !== undefined) return known;
  const pattern = createPattern(source);
  place.patterns.set(source, { pointer: `${place.pointer}/pattern`, pattern });
  return pattern;
}

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';

function readBounds(keywords: Keywords, place: Place): Record<Bound, number | null> {
  const read = (keyword: Bound): number | null => {
    const value = keywords[keyword];
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    fault(place, keyword, 'must be a number');
    return null;
  };
  const bounds = {
    minimum: read('minimum'),
    maximum: read('maximum'),
    exclusiveMinimum: read('exclusiveMinimum'),
    exclusiveMaximum: read('exclusiveMaximum'),
  };
  if (bounds.minimum !== null && bounds.maximum !== null && bounds.minimum > bounds.maximum) {
    fault(place, 'minimum', 'is greater than maximum');
  }
  return bounds;
}

function readStep(keywords: Keywords, place: Place): number | null {
  const value = keywords['multipleOf'];
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  fault(place, 'multipleOf', 'must be a number above 0');
  return null;
}

/** The values of `enum` and `const` by the kind of the declaration; null for a value of another type. */
const readers = {
  string: (value: unknown) => (typeof value === 'string' ? value : null),
  integer: (value: unknown) => (typeof value === 'number' && canBeHeld(value) ? BigInt(value) : null),
  number: (value: unknown) => (typeof value === 'number' ? value : null),
  boolean: (value: unknown) => (typeof value === 'boolean' ? value : null),
};

type Allowed<K extends keyof typeof readers> = readonly NonNullable<ReturnType<(typeof readers)[K]>>[];

/** `enum` and `const` as one list; null members only say again that the value is nullable. */
function readAllowed<K extends keyof typeof readers>(
  keywords: Keywords,
  place: Place,
  { kind, nullable }: { readonly kind: K; readonly nullable: boolean },
): Allowed<K> | null {
  const hasEnum = keywords['enum'] !== undefined;
  const hasConst = 'const' in keywords;
  if (!hasEnum && !hasConst) return null;
  if (hasEnum && hasConst) fault(place, 'const', 'enum and const exclude each other');
  const keyword = hasEnum ? 'enum' : 'const';
  const list: unknown = hasEnum ? keywords['enum'] : [keywords['const']];
  if (!Array.isArray(list) || list.length === 0) {
    fault(place, keyword, 'must be a list with at least one value');
    return null;
  }
  const kept = place.lists.get(list) ?? new Map<string, readonly unknown[]>();
  place.lists.set(list, kept);
  const key = `${kind} ${nullable}`;
  // What was read of the same list with the same reader.
  const allowed = kept.get(key) ?? readList(list, keyword, { place, nullable, read: readers[kind] });
  kept.set(key, allowed);
  return allowed as Allowed<K>;
}

function readList(
  list: readonly unknown[],
  keyword: string,
  { place, nullable, read }: { place: Place; nullable: boolean; read: (value: unknown) => unknown },
): readonly unknown[] {
  const values = list.filter((value) => value !== null || !nullable);
  const allowed = values.map(read).filter((member) => member !== null);
  if (allowed.length < values.length)
    fault(place, keyword, 'contains a value that is not of the declared type');
  if (new Set(values).size < values.length) fault(place, keyword, 'repeats a value');
  if (values.length === 0) fault(place, keyword, 'must allow a value other than null');
  return allowed;
}

function ceiling(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.ceil(value)) : null;
}

function floor(value: number): bigint | null {
  return Number.isFinite(value) ? BigInt(Math.floor(value)) : null;
}

function next(value: number, step: bigint): bigint | null {
  const whole = step > 0n ? floor(value) : ceiling(value);
  return whole === null ? null : whole + step;
}

function largest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>((most, value) => (value !== null && value > most ? value : most), first);
}

function smallest(first: bigint, ...others: (bigint | null)[]): bigint {
  return others.reduce<bigint>((least, value) => (value !== null && value < least ? value : least), first);
}
