import {
  createSchemaCheck,
  type ExactJson,
  languageTagFormat,
  type Operation,
  parameterInvalid,
  parseExactDocument,
  readLanguageTag,
  schemaRefusal,
  systemError,
} from '@tickrate/contract';
import type { TSchema } from 'typebox';
import { checkPlainText } from './plain-text.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly format?: string;
}

/** How to read bodies of clients that send null or "" for a missing value, and members of other versions. */
export interface LenientReading {
  /** Receives the number of unknown members of a body that has any. They are left out. */
  onUnknownMembers(count: number): void;
  /** Members whose texts can contain U+0000. */
  readonly anyTextMembers: readonly string[];
}

export interface LenientBody {
  readonly body: unknown;
  /** JSON pointers of the first unknown members. */
  readonly unknownMembers: readonly string[];
}

/**
 * Reads a body: an object, and if the body is optional, nothing or null. Members that are null or "" are absent. Throws 1001
 * to 1003, also for an unknown member of a closed schema: an edit that leaves something out would look as if it was made.
 */
export function createLenientBodyReader(
  { bodyOptional = false }: Pick<Operation, 'bodyOptional'>,
  schema: TSchema,
  { onUnknownMembers, anyTextMembers }: LenientReading,
): (bytes: Buffer) => LenientBody {
  const check = createSchemaCheck(schema);
  return (bytes) => {
    const given = bodyOptional && bytes.byteLength === 0 ? null : parseExactDocument(bytes);
    const isAbsent = bodyOptional && given === null;
    if (!isAbsent && !(given instanceof Map)) {
      throw systemError('bodyTypeInvalid', {}, { fields: 'the body is not an object' });
    }
    const unknown: Unknown = { count: 0, pointers: [] };
    const members = isAbsent ? {} : known(schema, given, { pointer: '', unknown });
    if (unknown.count > 0) onUnknownMembers(unknown.count);
    const fault = check.fault(members);
    if (fault !== null) throw schemaRefusal(fault);
    checkPlainText(members, anyTextMembers);
    return { body: members, unknownMembers: unknown.pointers };
  };
}

interface Unknown {
  count: number;
  readonly pointers: string[];
}

interface Place {
  readonly pointer: string;
  readonly unknown: Unknown;
}

const mostPointers = 20;
const pointerCharacters = 100;

function addUnknown({ pointer, unknown }: Place): void {
  unknown.count += 1;
  if (unknown.pointers.length < mostPointers) unknown.pointers.push(pointer.slice(0, pointerCharacters));
}

function within({ pointer, unknown }: Place, name: string | number): Place {
  const part = String(name).replaceAll('~', '~0').replaceAll('/', '~1');
  return { pointer: `${pointer}/${part}`, unknown };
}

function known(shape: Shape, value: ExactJson, place: Place): unknown {
  if (value instanceof Map) return knownMembers(shape, value, place);
  if (Array.isArray(value)) return knownItems(shape, value, place);
  // An invalid tag stays as it is: the schema rejects it with the name of the member.
  if (shape.format === languageTagFormat && typeof value === 'string') return readLanguageTag(value) ?? value;
  return value;
}

function knownMembers(
  { properties = {}, additionalProperties }: Shape,
  value: ReadonlyMap<string, ExactJson>,
  place: Place,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of value) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner === undefined && additionalProperties === false) throw notEdited(name, properties);
    if (inner === undefined) addUnknown(within(place, name));
    else if (!isNothing(member)) members[name] = known(inner, member, within(place, name));
  }
  return members;
}

function notEdited(name: string, properties: Readonly<Record<string, Shape>>) {
  return parameterInvalid(name, `unknown or fixed: this call changes ${Object.keys(properties).join(', ')}`);
}

function knownItems({ items = {} }: Shape, value: readonly ExactJson[], place: Place): unknown[] {
  // An empty element keeps its index: answers refer to elements by the index in the request.
  const given = items.properties
    ? value.map((item) => (isNothing(item) ? new Map<string, ExactJson>() : item))
    : value.filter((item) => !isNothing(item));
  return given.map((item, at) => known(items, item, within(place, at)));
}

function isNothing(value: ExactJson): boolean {
  return value === null || value === '';
}
