import type { IncomingMessage } from 'node:http';
import {
  createSchemaCheck,
  type ExactJson,
  languageTagFormat,
  limits,
  parameterInvalid,
  parseExactDocument,
  readLanguageTag,
  schemaRefusal,
  systemError,
} from '@tickrate/contract';
import { readBody } from '@tickrate/platform';
import type { TSchema } from 'typebox';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly format?: string;
}

/** Reads a request's body: nothing, null or an object. Rejects with 1001–1005, 1008. */
export type ReadMembers<T> = (request: IncomingMessage) => Promise<T>;

export interface CountedMembers<T> {
  readonly members: T;
  /** How many nobody knows. */
  readonly unknown: number;
}

/** The same for who wants to know what was left out. */
export type ReadCounted<T> = (request: IncomingMessage) => Promise<CountedMembers<T>>;

/**
 * Members that are null or "" are as if they were not there; members that nobody knows are left out, and `onUnknown` is
 * told how many they were.
 */
export function createReadMembers<T>(schema: TSchema, onUnknown: (count: number) => void): ReadMembers<T> {
  const read = createReadCounted<T>(schema, onUnknown);
  return async (request) => (await read(request)).members;
}

export function createReadCounted<T>(schema: TSchema, onUnknown: (count: number) => void): ReadCounted<T> {
  const check = createSchemaCheck(schema);
  return async (request) => {
    const body = await readBody(request, { limitBytes: limits.sessionBodyBytes });
    const given = body.byteLength === 0 ? null : parseExactDocument(body);
    if (given !== null && !(given instanceof Map)) {
      throw systemError('bodyTypeInvalid', {}, { fields: 'the body is not an object' });
    }
    const count = { unknown: 0 };
    const members = given === null ? {} : known(schema, given, count);
    if (count.unknown > 0) onUnknown(count.unknown);
    const fault = check.fault(members);
    if (fault !== null) throw schemaRefusal(fault);
    checkPlainText(members, '');
    // The check has compared it with the schema.
    return { members: members as T, unknown: count.unknown };
  };
}

function known(shape: Shape, value: ExactJson, count: { unknown: number }): unknown {
  if (value instanceof Map) return knownMembers(shape, value, count);
  if (Array.isArray(value)) return knownItems(shape, value, count);
  // What is no tag stays as it is, and is refused with its name.
  if (shape.format === languageTagFormat && typeof value === 'string') return readLanguageTag(value) ?? value;
  return value;
}

function knownMembers(
  { properties = {} }: Shape,
  value: ReadonlyMap<string, ExactJson>,
  count: { unknown: number },
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, member] of value) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (inner === undefined) count.unknown += 1;
    else if (!isNothing(member)) members[name] = known(inner, member, count);
  }
  return members;
}

function knownItems(
  { items = {} }: Shape,
  value: readonly ExactJson[],
  count: { unknown: number },
): unknown[] {
  // An element that is nothing keeps its place: answers count the elements as they were sent.
  const given = items.properties
    ? value.map((item) => (isNothing(item) ? new Map<string, ExactJson>() : item))
    : value.filter((item) => !isNothing(item));
  return given.map((item) => known(items, item, count));
}

/** A password may be any text, and a token is judged by itself, so that it hides no other. */
const anyText: readonly string[] = ['password', 'currentPassword', 'tokens'];

/** Throws 1003 for U+0000, which PostgreSQL keeps in no text. */
function checkPlainText(value: unknown, place: string): void {
  if (typeof value === 'string' && value.includes('\0')) throw parameterInvalid(place, 'not plain text');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!anyText.includes(name)) checkPlainText(member, place === '' ? name : `${place}.${name}`);
  }
}

function isNothing(value: ExactJson): boolean {
  return value === null || value === '';
}
