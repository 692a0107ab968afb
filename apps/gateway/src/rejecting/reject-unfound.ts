import type { IncomingMessage } from 'node:http';
import type { SystemError } from '@tickrate/contract';
import { plainEnvelope, skipSpace, skipValue } from '@tickrate/events';
import type { InsertCall } from '../calls/insert-call.ts';
import type { GatewayParts } from '../parts.ts';
import { checkUtf8 } from '../reading/admit.ts';
import { type ExpectedBody, type ReceivedBody, receiveBody } from '../reading/receive-body.ts';
import { finishInSlices, type Sliced } from '../reading/sliced.ts';
import { expectEnd, walkArray } from '../reading/walk-array.ts';
import type { RejectedSpan } from './rejected-span.ts';

export interface UnfoundCall {
  readonly call: InsertCall;
  readonly error: SystemError;
  readonly body: ExpectedBody;
  /** Whether the body is an array of events, or one event. */
  readonly isArray: boolean;
}

type Span = Pick<RejectedSpan, 'at' | 'end' | 'form'>;

/** Can be the name of a type: anything else is counted without its name. */
const name = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;
const nothing = Buffer.alloc(0);

/**
 * Counts and samples the events of a call with an unknown type or version. Never rejects: a body that does not fit into
 * memory, or without recognisable events, counts as one event.
 */
export async function rejectUnfound(
  { bodies, rejections }: Pick<GatewayParts, 'bodies' | 'rejections'>,
  request: IncomingMessage,
  unfound: UnfoundCall,
): Promise<void> {
  const record = (body: Buffer, spans: readonly Span[]) =>
    rejections.record(
      unfound.call,
      body,
      spans.map((span) => ({ ...rejected(unfound), ...span })),
    );
  let received: ReceivedBody;
  try {
    received = await receiveBody(bodies, request, unfound.body);
  } catch {
    record(nothing, [bodySpan(nothing)]);
    return;
  }
  const { body } = received;
  try {
    checkUtf8(body);
    record(body, unfound.isArray ? await finishInSlices(spansOf(body)) : [spanOf(body)]);
  } catch {
    record(body, [bodySpan(body)]);
  } finally {
    received.release();
  }
}

function bodySpan(body: Buffer): Span {
  return { at: 0, end: body.length, form: 'body' };
}

function rejected({ call, error }: UnfoundCall): Omit<RejectedSpan, keyof Span> {
  const { eventType, eventTypeVersion } = call.query;
  const type = eventType !== null && name.test(eventType) ? eventType : '';
  return {
    type,
    version: type === '' ? 0 : (eventTypeVersion ?? 0),
    versionNamed: null,
    isDeclared: error.reason !== 'eventTypeNotFound',
    reason: error.reason,
    pointer: '',
    message: error.message,
    envelope: plainEnvelope,
  };
}

function spanOf(body: Buffer): Span {
  const span = eventAt(body, skipSpace(body, 0));
  expectEnd(body, span.end);
  return span;
}

function* spansOf(body: Buffer): Sliced<Span[]> {
  const spans: Span[] = [];
  const end = yield* walkArray(body, (at) => {
    const span = eventAt(body, at);
    spans.push(span);
    return span.end;
  });
  expectEnd(body, end);
  return spans;
}

function eventAt(body: Buffer, at: number): Span {
  const end = skipValue(body, at);
  if (end < 0) throw new SyntaxError('no value ends here');
  return { at, end, form: 'event' };
}
