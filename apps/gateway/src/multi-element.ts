import { malformedJson, parseExactJson, skipSpace, skipValue } from '@tickrate/contract';
import { clockTime } from './insert-query.ts';
import type { ReportedFault } from './rejection.ts';

/** One element of a multiInsert, its event not yet read. */
export interface MultiElement {
  readonly eventType: string;
  readonly eventTypeVersion: number | null;
  readonly eventId: string | null;
  readonly occurredMs: number | null;
  readonly eventAt: number;
  readonly eventEnd: number;
  readonly end: number;
}

export type ReadElement =
  | { readonly ok: true; readonly element: MultiElement }
  | { readonly ok: false; readonly end: number; readonly errors: readonly ReportedFault[] };

interface Found {
  readonly members: Map<string, unknown>;
  eventAt: number;
  eventEnd: number;
  end: number;
}

/** Reads the envelope at `at`. Throws 1001 when it is not JSON. */
export function readMultiElement(body: Buffer, at: number, pointer: string): ReadElement {
  if (body[at] !== 0x7b) {
    const { end } = parseExactJson(body, at);
    return { ok: false, end, errors: [envelopeFault(pointer, 'typeMismatch', 'must be an object')] };
  }
  const found = findMembers(body, at);
  const errors = envelopeFaults(found, pointer);
  if (errors.length > 0) return { ok: false, end: found.end, errors };
  const { members } = found;
  const element = {
    eventType: String(members.get('eventType')),
    eventTypeVersion: given(members, 'eventTypeVersion') ? Number(members.get('eventTypeVersion')) : null,
    eventId: given(members, 'eventId') ? String(members.get('eventId')) : null,
    occurredMs: given(members, 'occurredAt') ? clockTime(String(members.get('occurredAt'))) : null,
    eventAt: found.eventAt,
    eventEnd: found.eventEnd,
    end: found.end,
  };
  return { ok: true, element };
}

function findMembers(body: Buffer, start: number): Found {
  const found: Found = { members: new Map(), eventAt: -1, eventEnd: -1, end: -1 };
  let at = skipSpace(body, start + 1);
  if (body[at] === 0x7d) return { ...found, end: at + 1 };
  for (;;) {
    if (body[at] !== 0x22) throw malformedJson(at);
    const name = parseExactJson(body, at);
    if (found.members.has(String(name.value))) throw malformedJson(at, 'a member is named twice');
    at = skipSpace(body, name.end);
    if (body[at] !== 0x3a) throw malformedJson(at);
    at = skipSpace(body, at + 1);
    at = readMember(body, at, { found, name: String(name.value) });
    at = skipSpace(body, at);
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
  const tell = (name: string, reason: string, message: string) => {
    errors.push(envelopeFault(`${pointer}/${name}`, reason, message));
  };
  const type = members.get('eventType');
  if (!given(members, 'eventType')) tell('eventType', 'missing', 'is required');
  else if (typeof type !== 'string') tell('eventType', 'typeMismatch', 'must be a string');
  if (eventAt < 0 && !members.has('event')) tell('event', 'missing', 'is required');
  else if (eventAt < 0) tell('event', 'typeMismatch', 'must be an object');
  const version = members.get('eventTypeVersion');
  if (given(members, 'eventTypeVersion') && !/^[1-9][0-9]{0,4}$/.test(String(version))) {
    tell('eventTypeVersion', 'format', 'must be a version number such as 1');
  }
  const id = members.get('eventId');
  if (given(members, 'eventId') && !(typeof id === 'string' && uuid.test(id)))
    tell('eventId', 'format', 'must be a UUID');
  if (given(members, 'occurredAt') && Number.isNaN(clockTime(String(members.get('occurredAt'))))) {
    tell('occurredAt', 'format', 'must be RFC 3339 or milliseconds since 1970');
  }
  for (const name of members.keys()) if (!known.has(name)) tell(name, 'unknown', 'is not part of an element');
  return errors;
}

function given(members: ReadonlyMap<string, unknown>, name: string): boolean {
  const value = members.get(name);
  return value !== undefined && value !== null;
}

export function envelopeFault(location: string, reason: string, message: string): ReportedFault {
  return { domain: 'event', location, locationType: 'body', message, reason };
}
