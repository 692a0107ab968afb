import { RE2JS } from 're2js';

/**
 * The meaning of a declaration after reading its keywords. The validator, the row encoder, the stored columns and the
 * comparison of versions are derived from it.
 */
export type Shape =
  | ObjectShape
  | MapShape
  | ArrayShape
  | StringShape
  | IntegerShape
  | NumberShape
  | BooleanShape;
export type ScalarShape = StringShape | IntegerShape | NumberShape | BooleanShape;

export interface Annotations {
  readonly title: string | null;
  readonly description: string | null;
  readonly deprecated: boolean;
  readonly personal: boolean;
  readonly occurredAt: boolean;
}

interface Common {
  /** Null means "no value": it is stored like an absent member. */
  readonly nullable: boolean;
  readonly annotations: Annotations;
}

export interface ObjectShape extends Common {
  readonly kind: 'object';
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly shape: Shape;
}

export interface MapShape extends Common {
  readonly kind: 'map';
  readonly values: Shape;
}

export interface ArrayShape extends Common {
  readonly kind: 'array';
  readonly items: Shape;
  readonly minItems: number;
  readonly maxItems: number;
}

export type StringFormat = 'date-time' | 'date' | 'uuid' | 'ipv4' | 'ipv6' | 'email' | 'uri';

export interface StringShape extends Common {
  readonly kind: 'string';
  readonly format: StringFormat | null;
  readonly minLength: number;
  readonly maxLength: number;
  readonly pattern: Pattern | null;
  readonly allowed: readonly string[] | null;
}

export type Pattern = ReturnType<typeof createPattern>;

export function createPattern(source: string) {
  let expression: RE2JS | null = null;
  return {
    source,
    /** Compiled at first use; views and comparisons never need it. Throws if the pattern is invalid. */
    expression(): RE2JS {
      expression ??= RE2JS.compile(source);
      return expression;
    },
  };
}

export type IntegerFormat = 'int32' | 'int64' | 'uint64';

export interface IntegerShape extends Common {
  readonly kind: 'integer';
  /** Null stores 64 signed bits, but rejects decimal strings: only members declared with 64 bits accept them. */
  readonly format: IntegerFormat | null;
  readonly minimum: bigint;
  readonly maximum: bigint;
  readonly multipleOf: bigint | null;
  readonly allowed: readonly bigint[] | null;
}

export interface NumberShape extends Common {
  readonly kind: 'number';
  readonly minimum: number;
  readonly maximum: number;
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
  readonly multipleOf: number | null;
  readonly allowed: readonly number[] | null;
}

export interface BooleanShape extends Common {
  readonly kind: 'boolean';
  readonly allowed: readonly boolean[] | null;
}

export const integerRange: Readonly<Record<IntegerFormat, { minimum: bigint; maximum: bigint }>> = {
  int32: { minimum: -(2n ** 31n), maximum: 2n ** 31n - 1n },
  int64: { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n },
  uint64: { minimum: 0n, maximum: 2n ** 64n - 1n },
};

/** Members declared with 64 bits accept decimal strings, for clients whose exact integers end at 2^53. */
export function takesDecimalText(shape: IntegerShape): boolean {
  return shape.format === 'int64' || shape.format === 'uint64';
}

/** Binary fractions make an exact remainder useless (0.3 / 0.1), so a quotient next to an integer is accepted. */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  const nearest = Math.round(quotient);
  return Math.abs(quotient - nearest) <= 1e-9 * Math.max(1, Math.abs(nearest));
}

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Like `includes`, but a long list costs no more than a short one, because senders choose how often it runs. */
export function isListed<T>(allowed: readonly T[], value: T): boolean {
  if (allowed.length <= 8) return allowed.includes(value);
  const known = sets.get(allowed) ?? new Set(allowed);
  sets.set(allowed, known);
  return known.has(value);
}
