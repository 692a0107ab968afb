import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Null while nothing is traced: then no span is made. */
let tracer: Tracer | null = null;

/** Spans are made from here on. Null ends that. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

/** Begins the span of a request that arrived with this `traceparent`. Null while nothing is traced. */
export function beginRequestSpan(method: string, traceparent: unknown): Span | null {
  if (tracer === null) return null;
  const attributes = { 'http.request.method': method };
  return tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(traceparent));
}

export function endRequestSpan(span: Span, route: string, status: number | 'aborted'): void {
  if (route !== 'none') {
    span.setAttribute('http.route', route);
    if ('name' in span) span.updateName(`${String(span.name)} ${route}`);
  }
  if (status === 'aborted') span.setAttribute('error.type', status);
  else span.setAttribute('http.response.status_code', status);
  if (status === 'aborted' || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Runs work as a part of the span: its logs have the id of the trace, and its spans become children. */
export function runInSpan<T>(span: Span | null, work: () => T): T {
  return span === null ? work() : context.with(trace.setSpan(context.active(), span), work);
}

export interface PartSpan<T> {
  readonly name: string;
  readonly kind?: 'client' | 'internal';
  readonly attributes?: Attributes;
  /** What the result adds to the attributes. */
  readonly describe?: (result: T) => Attributes;
}

/** Runs work in a span of its own if it is part of a recorded span, else runs only the work. */
export function inSpan<T>({ name, kind, attributes = {}, describe }: PartSpan<T>, work: () => Promise<T>) {
  if (tracer === null || !trace.getActiveSpan()?.isRecording()) return work();
  const span = tracer.startSpan(name, { kind: kinds[kind ?? 'internal'], attributes });
  return finish(span, work, describe);
}

/** A statement as a part of the recorded span, if there is one. Its text is not recorded: it may contain personal data. */
export function inStatementSpan<T>(system: string, sql: string, work: () => Promise<T>): Promise<T> {
  if (tracer === null) return work();
  const verb = (/^\s*(\w+)/.exec(sql)?.[1] ?? 'statement').toUpperCase();
  const attributes = { 'db.system.name': system, 'db.operation.name': verb };
  return inSpan({ name: `${verb} ${system}`, kind: 'client', attributes }, work);
}

/**
 * Runs work in a span for many messages: a child of the first of these spans, with links to all others. Runs only the work
 * if there are none.
 */
export function inBatchSpan<T>(
  { name, kind, attributes }: { name: string; kind: 'producer' | 'consumer'; attributes: Attributes },
  traceparents: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === null || traceparents.length === 0) return work();
  const [first, ...others] = new Set(traceparents);
  const links = others.flatMap((text) => readTraceparent(text) ?? []).map((linked) => ({ context: linked }));
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes, links }, contextOf(first));
  return finish(span, work);
}

const kinds = {
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

async function finish<T>(
  span: Span,
  work: () => Promise<T>,
  describe?: (result: T) => Attributes,
): Promise<T> {
  try {
    const result = await runInSpan(span, work);
    if (describe !== undefined) span.setAttributes(describe(result));
    return result;
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** For the header of a request, or for a message. Null unless a recorded span is active. */
export function activeTraceparent(): string | null {
  return tracer === null ? null : traceparentOf(trace.getActiveSpan() ?? null);
}

/** Null unless the span is recorded. */
export function traceparentOf(span: Span | null): string | null {
  if (!span?.isRecording()) return null;
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** The members of a log line, with the id of the active trace. */
export function withTraceId(members: object): object {
  const span = tracer === null ? undefined : trace.getActiveSpan();
  return span === undefined ? members : { ...members, trace_id: span.spanContext().traceId };
}

const traceparentText =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The span that W3C Trace Context names, or null if the text is not valid. */
export function readTraceparent(text: unknown): SpanContext | null {
  const [, traceId, spanId, flags] = traceparentText.exec(typeof text === 'string' ? text : '') ?? [];
  if (traceId === undefined || spanId === undefined) return null;
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function contextOf(traceparent: unknown) {
  const parent = readTraceparent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}
