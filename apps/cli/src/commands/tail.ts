import { sleep } from '@tickrate/platform';
import { done } from '../command-line/command.ts';
import { type CommandContext, defineCommand } from '../command-line/define-command.ts';
import { countOption, textOption } from '../command-line/options.ts';
import { readTime } from '../command-line/read-time.ts';

const pollMs = 500;
// A worker can store an event after one that was received later, so the last seconds are read again.
const overlapMs = 10_000;
const perPage = 1_000;

export const tailCommand = defineCommand({
  words: 'tail',
  summary: 'print events as they are stored, until Ctrl-C',
  options: {
    type: textOption('NAME', 'events of this type only'),
    since: textOption('TIME', 'where to start: RFC 3339, or how long ago, as in 2h (default: 1m)'),
    count: countOption('N', 'stop after this many events', { least: 1 }),
  },
  async run({ options: { type = '', since = '1m', count }, ...context }) {
    const { out, now, json } = context;
    let left = count ?? Number.POSITIVE_INFINITY;
    for await (const event of eventsFrom(context, { type, fromMs: readTime('since', since, now()) })) {
      await out(json ? `${JSON.stringify(event)}\n` : lineOf(event));
      left -= 1;
      if (left <= 0) break;
    }
    return done(null, null);
  },
});

type TailContext = Pick<CommandContext, 'api' | 'signal'>;

interface TailedEvent {
  readonly event_id: string;
  readonly received: string;
  readonly type: string;
  /** Callers without access to personal data receive no account, and possibly no data. */
  readonly account_id?: string;
  readonly data?: unknown;
}

/** A position in the order of receipt: this event of this millisecond. */
interface Place {
  readonly sinceMs: number;
  readonly after: string;
}

/** Every event once, present and future, until the signal aborts. */
async function* eventsFrom(
  { api, signal }: TailContext,
  { type, fromMs }: { readonly type: string; readonly fromMs: number },
): AsyncGenerator<TailedEvent> {
  const seen = new Map<string, number>();
  let newestMs = fromMs;
  let place = startAt(fromMs);
  while (!signal.aborted) {
    const found = await eventsAfter({ api, signal }, type, place);
    yield* found.filter((event) => !seen.has(identityOf(event)));
    for (const event of found) seen.set(identityOf(event), receivedMs(event));
    const last = found.at(-1);
    if (last) newestMs = Math.max(newestMs, receivedMs(last));
    const againMs = Math.max(fromMs, newestMs - overlapMs);
    for (const [id, seenMs] of seen) if (seenMs < againMs) seen.delete(id);
    // After a full page there are more events, perhaps of the same millisecond. Otherwise read the last seconds again.
    const isFull = found.length === perPage;
    place = isFull && last ? { sinceMs: receivedMs(last), after: last.event_id } : startAt(againMs);
    if (!isFull) await sleep(pollMs, signal);
  }
}

/** Two senders may use one event id. */
function identityOf({ event_id, account_id, type, received }: TailedEvent): string {
  return `${event_id} ${received} ${type} ${account_id ?? ''}`;
}

function startAt(sinceMs: number): Place {
  return { sinceMs, after: '00000000-0000-0000-0000-000000000000' };
}

function receivedMs({ received }: TailedEvent): number {
  return Date.parse(`${received.replace(' ', 'T')}Z`);
}

async function eventsAfter(
  { api, signal }: TailContext,
  type: string,
  { sinceMs, after }: Place,
): Promise<readonly TailedEvent[]> {
  const sql = `SELECT toString(events.event_id) AS event_id, received, type, version,
  COLUMNS('^(account_id|data)$') FROM events
WHERE received >= fromUnixTimestamp64Milli({since:Int64})
  AND (received > fromUnixTimestamp64Milli({since:Int64}) OR events.event_id >= toUUID({after:String}))
  AND ({type:String} = '' OR type = {type:String})
ORDER BY received, events.event_id LIMIT ${perPage}`;
  const parameters = { since: String(sinceMs), after, type };
  try {
    const answer = await api.call('POST /v1/query', { body: { sql, parameters } });
    return (answer as { readonly data: readonly TailedEvent[] }).data;
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}

function lineOf({ received, type, account_id: account, data }: TailedEvent): string {
  return `${received}  ${type}  ${account || '-'}  ${JSON.stringify(data ?? {})}\n`;
}
