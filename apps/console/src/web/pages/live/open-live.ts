import { callForAnswer } from '../../api/call.ts';
import { Problem, toProblem, unreachable } from '../../api/problem.ts';

export interface LiveEvent {
  readonly eventId: string;
  readonly type: string;
  readonly version: number;
  readonly received: string;
  readonly occurred: string;
  readonly accountId: string | null;
  readonly sessionId: string | null;
  readonly clientAddress: string | null;
  readonly sdkName: string;
  readonly sdkVersion: string;
  readonly event: object;
}

export interface LiveStatus {
  readonly events: readonly LiveEvent[];
  /** Events that matched and were not shown. */
  readonly skipped: number;
  /** Events that arrived faster than they could be read. */
  readonly unread: number;
  readonly lagSeconds: number;
  readonly failing: boolean;
}

export interface LiveOptions {
  readonly projectId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Where the stream continues. */
  readonly place: LivePlace;
  readonly onFrame: (status: LiveStatus) => void;
  /** Null when the stream runs again. */
  readonly onProblem: (problem: Problem | null) => void;
}

const reopenMs = 1_000;

/** Reads the stream until the signal, and opens it again where it ended. Resolves when it is over. */
export async function followLive(options: LiveOptions): Promise<void> {
  const { signal } = options;
  while (!signal.aborted) {
    const problem = await readOnce(options).catch(toProblem);
    if (signal.aborted) return;
    options.onProblem(problem);
    if (problem.status === 401 || problem.status === 403) return;
    await pause(signal);
  }
}

export interface LivePlace {
  /** Of the last frame. */
  lastId: string | null;
}

/** Resolves with why the stream ended. */
async function readOnce(options: LiveOptions): Promise<Problem> {
  const { place } = options;
  for await (const { id, event, data } of readFrames(options, place.lastId)) {
    place.lastId = id ?? place.lastId;
    if (event === 'end') return problemOfEnd(data);
    options.onProblem(null);
    options.onFrame({ events: [], ...JSON.parse(data) });
  }
  return unreachable('the stream was cut');
}

async function* readFrames({ projectId, query, signal }: LiveOptions, lastEventId: string | null) {
  const answer = await callForAnswer('GET /v1/live', { query, projectId, signal, lastEventId });
  const read = createFrameReader();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    yield* read(part.value);
}

/** The rights ended, or the server stops. */
function problemOfEnd(data: string): Problem {
  const { code, reason } = JSON.parse(data);
  if (typeof code !== 'number') return unreachable(reason);
  return new Problem({ reason, code, status: code < 2005 ? 401 : 403, message: reason });
}

function pause(signal: AbortSignal): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(reopenMs)]);
  return new Promise((resolve) => over.addEventListener('abort', () => resolve()));
}

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Cuts server-sent events out of a text that arrives in pieces. Returns a function that takes the next piece. */
export function createFrameReader(): (piece: string) => Frame[] {
  let rest = '';
  return (piece) => {
    const parts = (rest + piece).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.map(readFrame);
  };
}

function readFrame(text: string): Frame {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? 'message',
    data: fields.get('data') ?? '',
  };
}
