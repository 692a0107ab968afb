import { readDateTime } from '@tickrate/contract';
import { skipSpace, skipValue } from '@tickrate/events';
import { isAt, type NamedType, type NamedTypes } from '../calls/named-types.ts';

/** One element of a multiInsert, its event not yet read. */
export interface MultiElement {
  readonly type: NamedType;
  readonly eventId: string | null;
  readonly occurredMs: number | null;
  readonly eventAt: number;
  readonly eventEnd: number;
  readonly end: number;
}

/*
 * The fast path for an envelope: members in any order, without escapes, in their plainest types. Anything else uses the
 * slow path, which finds the faults.
 */

interface Draft {
  nameAt: number;
  nameEnd: number;
  version: number | null;
  eventId: string | null;
  occurredMs: number | null;
  eventAt: number;
  eventEnd: number;
}

type ReadMember = (body: Buffer, at: number, draft: Draft) => number;

/** The element whose opening brace is at `at`, or null if the slow path must read it. */
export function readPlainElement(body: Buffer, at: number, types: NamedTypes): MultiElement | null {
  const draft: Draft = {
    nameAt: -1,
    nameEnd: -1,
    version: null,
    eventId: null,
    occurredMs: null,
    eventAt: -1,
    eventEnd: -1,
  };
  const end = readMembers(body, skipSpace(body, at + 1), draft);
  const { nameAt, nameEnd, version, eventId, occurredMs, eventAt, eventEnd } = draft;
  if (end < 0 || nameAt < 0 || eventAt < 0) return null;
  return { type: types.at(body, { nameAt, nameEnd, version }), eventId, occurredMs, eventAt, eventEnd, end };
}

function readMembers(body: Buffer, start: number, draft: Draft): number {
  let at = start;
  let seen = 0;
  for (;;) {
    const member = memberAt(body, at);
    if (member === null || (seen & member.bit) !== 0) return -1;
    seen |= member.bit;
    at = skipSpace(body, at + member.spelling.length);
    if (body[at] !== 0x3a) return -1;
    at = member.read(body, skipSpace(body, at + 1), draft);
    if (at < 0) return -1;
    at = skipSpace(body, at);
    if (body[at] === 0x7d) return at + 1;
    if (body[at] !== 0x2c) return -1;
    at = skipSpace(body, at + 1);
  }
}

function readType(body: Buffer, at: number, draft: Draft): number {
  if (body[at] !== 0x22) return -1;
  draft.nameAt = at + 1;
  let end = at + 1;
  let byte = body[end] ?? 0;
  while (byte !== 0x22) {
    if (byte <= 0x20 || byte >= 0x7f || byte === 0x5c) return -1;
    byte = body[++end] ?? 0;
  }
  draft.nameEnd = end;
  return end > draft.nameAt ? end + 1 : -1;
}

function readVersion(body: Buffer, at: number, draft: Draft): number {
  let end = at;
  let version = 0;
  let digit = (body[end] ?? 0) - 0x30;
  while (digit >= 0 && digit <= 9 && end - at < 5) {
    version = version * 10 + digit;
    digit = (body[++end] ?? 0) - 0x30;
  }
  draft.version = version;
  const next = body[end];
  const endsHere = next === 0x2c || next === 0x7d || next === 0x20;
  return endsHere && end > at && body[at] !== 0x30 ? end : -1;
}

const uuidLength = 36;
const uuid = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

function readEventId(body: Buffer, at: number, draft: Draft): number {
  const end = at + 1 + uuidLength;
  if (body[at] !== 0x22 || body[end] !== 0x22) return -1;
  const text = body.toString('latin1', at + 1, end);
  draft.eventId = text;
  return uuid.test(text) ? end + 1 : -1;
}

const longestTime = 40;

function readOccurredAt(body: Buffer, at: number, draft: Draft): number {
  if (body[at] !== 0x22) return -1;
  let end = at + 1;
  while (body[end] !== 0x22 && end - at < longestTime) end++;
  const ms = readDateTime(body, at + 1, end - at - 1);
  draft.occurredMs = ms;
  return Number.isNaN(ms) ? -1 : end + 1;
}

function readEvent(body: Buffer, at: number, draft: Draft): number {
  if (body[at] !== 0x7b) return -1;
  draft.eventAt = at;
  draft.eventEnd = skipValue(body, at);
  return draft.eventEnd;
}

interface Member {
  readonly spelling: Buffer;
  readonly bit: number;
  readonly read: ReadMember;
}

const members: readonly Member[] = Object.entries({
  eventType: readType,
  event: readEvent,
  eventTypeVersion: readVersion,
  eventId: readEventId,
  occurredAt: readOccurredAt,
}).map(([name, read], n) => ({ spelling: Buffer.from(`"${name}"`), bit: 1 << n, read }));

function memberAt(body: Buffer, at: number): Member | null {
  for (const member of members) if (isAt(body, at, member.spelling)) return member;
  return null;
}
