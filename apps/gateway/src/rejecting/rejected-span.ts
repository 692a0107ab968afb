import { SystemError } from '@tickrate/contract';
import { type EventEnvelope, plainEnvelope, type RowFrame } from '@tickrate/events';
import type { RejectedForm } from '@tickrate/pipeline';
import type { ReportedFault } from './rejection.ts';

/** A rejected event, and its place in the body of the request. */
export interface RejectedSpan {
  /** '' if it names none. */
  readonly type: string;
  /** 0 if it names none. */
  readonly version: number;
  /** Whether the sender named the version; null if the version is in the URL. */
  readonly versionNamed: boolean | null;
  /** Whether the type is declared: anybody can invent other names. */
  readonly isDeclared: boolean;
  readonly reason: string;
  /** Within the span. */
  readonly pointer: string;
  readonly message: string;
  readonly form: RejectedForm;
  readonly at: number;
  readonly end: number;
  readonly envelope: EventEnvelope;
}

export interface FaultySpan {
  readonly at: number;
  readonly end: number;
  /** JSON pointer of the span within the body. */
  readonly base: string;
  readonly errors: readonly ReportedFault[];
}

/** The first fault is kept. The answer lists the others. */
export function faultOf({ base, errors }: Pick<FaultySpan, 'base' | 'errors'>) {
  const { location = '', message = '', reason = '' } = errors[0] ?? {};
  const isInside = location.startsWith(`${base}/`);
  return { reason, message, pointer: isInside ? location.slice(base.length) : '' };
}

/** An event of the type that its call names. */
export function rejectedEvent({ typeName, version }: RowFrame, faulty: FaultySpan): RejectedSpan {
  return {
    type: typeName,
    version,
    versionNamed: null,
    isDeclared: true,
    ...faultOf(faulty),
    form: 'event',
    at: faulty.at,
    end: faulty.end,
    envelope: plainEnvelope,
  };
}

/** A body without recognisable events, or null for any other error. Without a frame it names no type. */
export function rejectedBody(
  frame: RowFrame | null,
  { body, error }: { readonly body: Buffer; readonly error: unknown },
): RejectedSpan | null {
  if (!(error instanceof SystemError) || !ofTheText.has(error.reason)) return null;
  return {
    type: frame?.typeName ?? '',
    version: frame?.version ?? 0,
    versionNamed: null,
    isDeclared: frame !== null,
    reason: error.reason,
    pointer: '',
    message: error.fields ?? error.message,
    form: 'body',
    at: 0,
    end: body.length,
    envelope: plainEnvelope,
  };
}

const ofTheText: ReadonlySet<string> = new Set(['malformedJson', 'bodyTypeInvalid', 'parameterInvalid']);
