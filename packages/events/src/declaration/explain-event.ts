import type { ExactJson } from '@tickrate/contract';
import { escapePointer } from './declaration-faults.ts';
import { hasFormat } from './has-format.ts';
import {
  type ArrayShape,
  type IntegerShape,
  isListed,
  isMultipleOf,
  type MapShape,
  type NumberShape,
  type ObjectShape,
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

/** One member of an event that is not as declared. */
export interface EventFault {
  /** JSON pointer within the event. */
  readonly pointer: string;
  readonly reason: EventFaultReason;
  readonly message: string;
}

/**
 * Every way in which a value is not as its shape says, up to `most`: what a client is told. The generated reader
 * decides the same question without building values; a property test holds the two together.
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

function tell(spot: Spot, reason: EventFaultReason, message: string): void {
  if (spot.faults.length < spot.most) spot.faults.push({ pointer: spot.pointer, reason, message });
}

function under(spot: Spot, name: string): Spot {
  return { ...spot, pointer: `${spot.pointer}/${escapePointer(name)}` };
}

function explain(shape: Shape, value: ExactJson, spot: Spot): void {
  if (spot.faults.length >= spot.most) return;
  if (value === null) {
    if (!shape.nullable) tell(spot, 'typeMismatch', 'must not be null');
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
        tell(spot, 'typeMismatch', 'must be true or false');
        return;
      }
      if (shape.allowed !== null && !shape.allowed.includes(value))
        tell(spot, 'enum', 'is not an allowed value');
  }
}

function isObject(value: ExactJson): value is ReadonlyMap<string, ExactJson> {
  return value instanceof Map;
}

function explainObject(shape: ObjectShape, value: ExactJson, spot: Spot): void {
  if (!isObject(value)) {
    tell(spot, 'typeMismatch', 'must be an object');
    return;
  }
  let known = 0;
  for (const { name, required, shape: memberShape } of shape.members) {
    const member = value.get(name);
    if (member !== undefined) {
      known++;
      explain(memberShape, member, under(spot, name));
    } else if (required) tell(under(spot, name), 'missing', 'is required');
  }
  if (known === value.size) return;
  const names = new Set(shape.members.map((member) => member.name));
  for (const name of value.keys()) {
    if (spot.faults.length >= spot.most) return;
    if (!names.has(name)) tell(under(spot, name), 'unknown', 'is not declared');
  }
}

function explainMap(shape: MapShape, value: ExactJson, spot: Spot): void {
  if (!isObject(value)) {
    tell(spot, 'typeMismatch', 'must be an object');
    return;
  }
  for (const [name, member] of value) explain(shape.values, member, under(spot, name));
}

function explainArray(shape: ArrayShape, value: ExactJson, spot: Spot): void {
  if (!Array.isArray(value)) {
    tell(spot, 'typeMismatch', 'must be an array');
    return;
  }
  if (value.length < shape.minItems) tell(spot, 'range', `must have at least ${shape.minItems} items`);
  if (value.length > shape.maxItems) tell(spot, 'tooLong', `must have at most ${shape.maxItems} items`);
  value.forEach((item, index) => {
    explain(shape.items, item, under(spot, String(index)));
  });
}

function explainString(shape: StringShape, value: ExactJson, spot: Spot): void {
  if (typeof value !== 'string') {
    tell(spot, 'typeMismatch', 'must be a string');
    return;
  }
  const length = codePoints(value);
  if (length < shape.minLength) tell(spot, 'range', `must have at least ${shape.minLength} characters`);
  if (length > shape.maxLength) tell(spot, 'tooLong', `must have at most ${shape.maxLength} characters`);
  if (shape.allowed !== null && !isListed(shape.allowed, value))
    tell(spot, 'enum', 'is not an allowed value');
  if (shape.pattern?.expression().test(value) === false) {
    tell(spot, 'pattern', `must match ${shape.pattern.source}`);
  }
  if (shape.format !== null && !hasFormat(shape.format, value))
    tell(spot, 'format', `must have the format ${shape.format}`);
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    // The second half of a surrogate pair belongs to the character before it.
    if ((text.charCodeAt(i) & 0xfc00) !== 0xdc00) count++;
  }
  return count;
}

const decimalText = /^(?:-?[1-9][0-9]{0,19}|0)$/;

function explainInteger(shape: IntegerShape, value: ExactJson, spot: Spot): void {
  const integer = exactInteger(shape, value);
  if (integer === 'notOne') {
    tell(spot, 'typeMismatch', 'must be an integer');
    return;
  }
  if (integer === 'tooWide' || integer < shape.minimum || integer > shape.maximum) {
    tell(spot, 'range', `must lie between ${shape.minimum} and ${shape.maximum}`);
    return;
  }
  if (shape.multipleOf !== null && integer % shape.multipleOf !== 0n) {
    tell(spot, 'range', `must be a multiple of ${shape.multipleOf}`);
  }
  if (shape.allowed !== null && !isListed(shape.allowed, integer))
    tell(spot, 'enum', 'is not an allowed value');
}

function exactInteger(shape: IntegerShape, value: ExactJson): bigint | 'notOne' | 'tooWide' {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string')
    return takesDecimalText(shape) && decimalText.test(value) ? BigInt(value) : 'notOne';
  if (typeof value !== 'number') return 'notOne';
  if (Number.isSafeInteger(value)) return BigInt(value);
  // Wide integers come as bigint: what is left within every range has a fraction that a double has no room for.
  return Math.abs(value) >= 2 ** 64 ? 'tooWide' : 'notOne';
}

function explainNumber(shape: NumberShape, value: ExactJson, spot: Spot): void {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    tell(spot, 'typeMismatch', 'must be a number');
    return;
  }
  const number = Number(value);
  if (!isInRange(shape, number)) {
    tell(spot, 'range', 'lies outside the declared range');
    return;
  }
  if (shape.multipleOf !== null && !isMultipleOf(number, shape.multipleOf)) {
    tell(spot, 'range', `must be a multiple of ${shape.multipleOf}`);
  }
  if (shape.allowed !== null && !isListed(shape.allowed, number))
    tell(spot, 'enum', 'is not an allowed value');
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
