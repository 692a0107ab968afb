import {
  type ExactJson,
  limits,
  malformedJson,
  parseExactJson,
  type SystemError,
  systemError,
} from '@tickrate/contract';
import { escapePointer, skipSpace, skipValue } from '@tickrate/events';
import { clockTime, clockTimeRule } from '../calls/insert-query.ts';
import type { NamedTypes } from '../calls/named-types.ts';
import { bodyFault, type ReportedFault } from '../rejecting/rejection.ts';
import { type MultiElement, readPlainElement } from './plain-element.ts';

export interface FaultyElement {
  readonly ok: false;
  readonly at: number;
  readonly end: number;
  readonly errors: readonly ReportedFault[];
  /** The error of an all-or-nothing call, when it is not 8005. */
  readonly error?: SystemError;
}

export type ReadElement = { readonly ok: true; readonly element: MultiElement } | FaultyElement;

/** Added to the largest size of an event, for the other members of an element. */
const envelopeBytes = 4096;
/** The largest text of an element, in bytes. */
export const longestElement = limits.eventBytes + envelopeBytes;

/** Reads the envelope at `at`. Throws 1001 if it is not JSON, and 1003 if it names one type too many. */
export function readMultiElement(body: Buffer, at: number, { pointer, types }: ElementPlace): ReadElement {
  const plain = body[at] === 0x7b ? readPlainElement(body, at, types) : null;
  if (plain !== null) return { ok: true, element: plain };
  const closed = skipValue(body, at);
  if (closed - at > longestElement) return tooLargeElement(pointer, { at, end: closed });
  const readable = closed < 0 ? body.subarray(0, at + longestElement) : body;
  if (readable[at] !== 0x7b) {
    const { end } = parseExactJson(readable, at);
    return { ok: false, at, end, errors: [bodyFault(pointer, 'typeMismatch', 'must be an object')] };
  }
  return readUnusualElement(readable, at, { pointer, types });
}

export interface ElementPlace {
  readonly pointer: string;
  readonly types: NamedTypes;
}

interface Found {
  readonly members: Map<string, ExactJson>;
  eventAt: number;
  eventEnd: number;
  end: number;
}

function readUnusualElement(body: Buffer, at: number, { pointer, types }: ElementPlace): ReadElement {
  const found = findMembers(body, at);
  const errors = envelopeFaults(found, pointer);
  const { members, eventAt, eventEnd, end } = found;
  if (errors.length > 0) return { ok: false, at, end, errors };
  const version = scalar(members, 'eventTypeVersion');
  const occurredAt = scalar(members, 'occurredAt');
  const element = {
    type: types.of(scalar(members, 'eventType') ?? '', version === null ? null : Number(version)),
    eventId: scalar(members, 'eventId'),
    occurredMs: occurredAt === null ? null : clockTime(occurredAt),
    eventAt,
    eventEnd,
    end,
  };
  return { ok: true, element };
}

function findMembers(body: Buffer, start: number): Found {
  const found: Found = { members: new Map(), eventAt: -1, eventEnd: -1, end: -1 };
  let at = skipSpace(body, start + 1);
  if (body[at] === 0x7d) return { ...found, end: at + 1 };
  for (;;) {
    if (body[at] !== 0x22) throw malformedJson(at);
    const { value, end } = parseExactJson(body, at);
    const name = String(value);
    if (found.members.has(name)) throw malformedJson(at, `the member '${name.slice(0, 64)}' is named twice`);
    at = skipSpace(body, end);
    if (body[at] !== 0x3a) throw malformedJson(at);
    at = skipSpace(body, readMember(body, skipSpace(body, at + 1), { found, name }));
    if (body[at] === 0x7d) return { ...found, end: at + 1 };
    if (body[at] !== 0x2c) throw malformedJson(at);
    at = skipSpace(body, at + 1);
  }
}

function readMember(body: Buffer, at: number, { found, name }: { found: Found; name: string }): number {
  if (name === 'event' && body[at] === 0x7b) {
    const end = skipValue(body, at);
    if (end < 0) throw malformedJson(body.length);
    found.members.set(name, null);
    found.eventAt = at;
    found.eventEnd = end;
    return end;
  }
  const { value, end } = parseExactJson(body, at);
  found.members.set(name, value);
  return end;
}

const uuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;
const known = new Set(['eventType', 'eventTypeVersion', 'eventId', 'occurredAt', 'event']);

function envelopeFaults({ members, eventAt }: Found, pointer: string): ReportedFault[] {
  const errors: ReportedFault[] = [];
  const report = (name: string, reason: string, message: string) => {
    errors.push(bodyFault(`${pointer}/${name}`, reason, message));
  };
  const type = members.get('eventType') ?? '';
  if (type === '') report('eventType', 'missing', 'is required');
  else if (typeof type !== 'string') report('eventType', 'typeMismatch', 'must be a string');
  if (!members.has('event')) report('event', 'missing', 'is required');
  else if (eventAt < 0) report('event', 'typeMismatch', 'must be an object');
  const isGood = (name: string, test: (text: string) => boolean) =>
    (members.get(name) ?? null) === null || test(scalar(members, name) ?? '');
  if (!isGood('eventTypeVersion', (text) => /^[1-9][0-9]{0,4}$/.test(text)))
    report('eventTypeVersion', 'format', 'must be a version number such as 1');
  if (!isGood('eventId', (text) => uuid.test(text))) report('eventId', 'format', 'must be a UUID');
  if (!isGood('occurredAt', (text) => !Number.isNaN(clockTime(text))))
    report('occurredAt', 'format', clockTimeRule);
  for (const name of members.keys()) {
    if (!known.has(name)) report(escapePointer(name.slice(0, 64)), 'unknown', 'is not part of an element');
  }
  return errors;
}

/** The text of a string or number; null for every other value. */
function scalar(members: ReadonlyMap<string, ExactJson>, name: string): string | null {
  const value = members.get(name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

export function tooLargeElement(
  pointer: string,
  { at, end }: Pick<FaultyElement, 'at' | 'end'>,
): FaultyElement {
  const error = systemError('eventTooLarge', { amount: limits.eventBytes, parameterName: pointer });
  const message = `must be at most ${limits.eventBytes} bytes long`;
  return { ok: false, at, end, errors: [bodyFault(pointer, 'tooLong', message)], error };
}
