import type { ExactJson } from '@tickrate/contract';
import { hasFormat } from './has-format.ts';
import { escapePointer } from './reading/declaration-faults.ts';
import {
  type ArrayShape,
  type IntegerShape,
  integerRange,
  isListed,
  isMultipleOf,
  type MapShape,
  type NumberShape,
  type ObjectShape,
  type ScalarShape,
  type Shape,
  type StringShape,
  takesDecimalText,
} from './shape.ts';

export type EventFaultReason =
  | 'missing'
  | 'unknown'
  | 'typeMismatch'
  | 'range'
  | 'tooLong'
  | 'pattern'
  | 'enum'
  | 'format';

/** One member of an event that does not match its declaration. */
export interface EventFault {
  /** JSON pointer within the event. */
  readonly pointer: string;
  readonly reason: EventFaultReason;
  readonly message: string;
}

/**
 * Returns up to `most` faults of a value, for the client. The generated reader makes the same decision without building
 * values; a property test compares the two.
 */
export function explainEvent(shape: ObjectShape, value: ExactJson, most: number): EventFault[] {
  const faults: EventFault[] = [];
  explain(shape, value, { pointer: '', faults, most });
  return faults;
}

interface Spot {
  readonly pointer: string;
  readonly faults: EventFault[];
  readonly most: number;
}

function report(spot: Spot, reason: EventFaultReason, message: string): void {
  if (spot.faults.length < spot.most) spot.faults.push({ pointer: spot.pointer, reason, message });
}

function under(spot: Spot, name: string): Spot {
  return { ...spot, pointer: `${spot.pointer}/${escapePointer(name)}` };
}

function explain(shape: Shape, value: ExactJson, spot: Spot): void {
  if (spot.faults.length >= spot.most) return;
  if (value === null) {
    if (!shape.nullable) report(spot, 'typeMismatch', 'must not be null');
    return;
  }
  switch (shape.kind) {
    case 'object':
      explainObject(shape, value, spot);
      break;
    case 'map':
      explainMap(shape, value, spot);
      break;
    case 'array':
      explainArray(shape, value, spot);
      break;
    case 'string':
      explainString(shape, value, spot);
      break;
    case 'integer':
      explainInteger(shape, value, spot);
      break;
    case 'number':
      explainNumber(shape, value, spot);
      break;
    default:
      if (typeof value !== 'boolean') {
        report(spot, 'typeMismatch', 'must be true or false');
        return;
      }
      explainAllowed(shape, value, spot);
  }
}

function isObject(value: ExactJson): value is ReadonlyMap<string, ExactJson> {
  return value instanceof Map;
}

function explainObject(shape: ObjectShape, value: ExactJson, spot: Spot): void {
  if (!isObject(value)) {
    report(spot, 'typeMismatch', 'must be an object');
    return;
  }
  let known = 0;
  for (const { name, required, shape: memberShape } of shape.members) {
    const member = value.get(name);
    if (member !== undefined) {
      known++;
      explain(memberShape, member, under(spot, name));
    } else if (required) report(under(spot, name), 'missing', 'is required');
  }
  if (known === value.size) return;
  const names = new Set(shape.members.map((member) => member.name));
  for (const name of value.keys()) {
    if (spot.faults.length >= spot.most) return;
    if (!names.has(name)) report(under(spot, name), 'unknown', 'is not declared');
  }
}

function explainMap(shape: MapShape, value: ExactJson, spot: Spot): void {
  if (!isObject(value)) {
    report(spot, 'typeMismatch', 'must be an object');
    return;
  }
  for (const [name, member] of value) explain(shape.values, member, under(spot, name));
}

function explainArray(shape: ArrayShape, value: ExactJson, spot: Spot): void {
  if (!Array.isArray(value)) {
    report(spot, 'typeMismatch', 'must be an array');
    return;
  }
  if (value.length < shape.minItems) report(spot, 'range', `must have at least ${shape.minItems} items`);
  if (value.length > shape.maxItems) report(spot, 'tooLong', `must have at most ${shape.maxItems} items`);
  value.forEach((item, index) => {
    explain(shape.items, item, under(spot, String(index)));
  });
}

function explainString(shape: StringShape, value: ExactJson, spot: Spot): void {
  if (typeof value !== 'string') {
    report(spot, 'typeMismatch', 'must be a string');
    return;
  }
  const length = codePoints(value);
  if (length < shape.minLength) report(spot, 'range', `must have at least ${shape.minLength} characters`);
  if (length > shape.maxLength) report(spot, 'tooLong', `must have at most ${shape.maxLength} characters`);
  explainAllowed(shape, value, spot);
  if (shape.pattern?.expression().test(value) === false) {
    report(spot, 'pattern', `must match ${shape.pattern.source}`);
  }
  if (shape.format !== null && !hasFormat(shape.format, value))
    report(spot, 'format', `must have the format ${shape.format}`);
}

function explainAllowed({ allowed }: ScalarShape, value: unknown, spot: Spot): void {
  if (allowed !== null && !isListed<unknown>(allowed, value)) report(spot, 'enum', 'is not an allowed value');
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    // The second half of a surrogate pair belongs to the previous character.
    if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
}

/** A bound that the declaration does not state is left out, unless the value is beyond it. */
function rangeSentence({ format, minimum, maximum }: IntegerShape, integer: bigint | 'tooWide'): string {
  const widest = integerRange[format ?? 'int64'];
  if (integer !== 'tooWide') {
    if (integer < minimum && maximum === widest.maximum) return `must be at least ${minimum}`;
    if (integer > maximum && minimum === widest.minimum) return `must be at most ${maximum}`;
  }
  return `must be between ${minimum} and ${maximum}`;
}

const decimalText = /^(?:-?[1-9][0-9]{0,19}|0)$/;

function explainInteger(shape: IntegerShape, value: ExactJson, spot: Spot): void {
  const integer = exactInteger(shape, value);
  if (integer === 'notOne') {
    report(spot, 'typeMismatch', 'must be an integer');
    return;
  }
  if (integer === 'tooWide' || integer < shape.minimum || integer > shape.maximum) {
    report(spot, 'range', rangeSentence(shape, integer));
    return;
  }
  if (shape.multipleOf !== null && integer % shape.multipleOf !== 0n) {
    report(spot, 'range', `must be a multiple of ${shape.multipleOf}`);
  }
  explainAllowed(shape, integer, spot);
}

function exactInteger(shape: IntegerShape, value: ExactJson): bigint | 'notOne' | 'tooWide' {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string')
    return takesDecimalText(shape) && decimalText.test(value) ? BigInt(value) : 'notOne';
  if (typeof value !== 'number') return 'notOne';
  if (Number.isSafeInteger(value)) return BigInt(value);
  // Wide integers are bigint. Any other number within the range has a fraction that a double cannot hold.
  return Math.abs(value) >= 2 ** 64 ? 'tooWide' : 'notOne';
}

function explainNumber(shape: NumberShape, value: ExactJson, spot: Spot): void {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    report(spot, 'typeMismatch', 'must be a number');
    return;
  }
  const number = Number(value);
  if (!isInRange(shape, number)) {
    report(spot, 'range', 'is outside the declared range');
    return;
  }
  if (shape.multipleOf !== null && !isMultipleOf(number, shape.multipleOf)) {
    report(spot, 'range', `must be a multiple of ${shape.multipleOf}`);
  }
  explainAllowed(shape, number, spot);
}

export function isInRange(shape: NumberShape, value: number): boolean {
  return (
    Number.isFinite(value) &&
    value >= shape.minimum &&
    value <= shape.maximum &&
    value > shape.exclusiveMinimum &&
    value < shape.exclusiveMaximum
  );
}
