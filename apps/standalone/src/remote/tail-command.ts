import { setTimeout as delay } from 'node:timers/promises';
import { commandCodes } from '../command.ts';
import { readTime } from './read-time.ts';
import type { RemoteCall, RemoteCommand } from './remote-command.ts';

const pollMs = 500;
// An event can be stored after one that was received later: the last seconds are looked at again.
const overlapMs = 10_000;
const perPage = 1_000;

export const tailCommand: RemoteCommand = {
  ...{ words: 'tail', operands: '', fewest: 0, most: 0, options: ['type', 'count', 'since'] },
  summary: 'events as they are stored, from a minute ago or --since on, until Ctrl-C or --count N of them',
  async run(call) {
    const { given, out, now } = call;
    let left = given.count ?? Number.POSITIVE_INFINITY;
    for await (const event of eventsFrom(call, readTime('since', given.since ?? '1m', now()))) {
      await out(given.json ? `${JSON.stringify(event)}\n` : lineOf(event));
      left -= 1;
      if (left <= 0) break;
    }
    return { code: commandCodes.done, json: null, lines: null };
  },
};

interface TailedEvent {
  readonly event_id: string;
  readonly received: string;
  readonly type: string;
  readonly account_id: string;
  readonly data: unknown;
}

/** Among the events in the order in which they were received: from this one of that millisecond on. */
interface Place {
  readonly sinceMs: number;
  readonly after: string;
}

/** Each once, those that are there and those that come, until the call's signal. */
async function* eventsFrom(call: RemoteCall, fromMs: number): AsyncGenerator<TailedEvent> {
  const seen = new Map<string, number>();
  let newestMs = fromMs;
  let place = beginAt(fromMs);
  while (!call.signal.aborted) {
    const found = await eventsAfter(call, place);
    yield* found.filter((event) => !seen.has(identityOf(event)));
    for (const event of found) seen.set(identityOf(event), receivedMs(event));
    const last = found.at(-1);
    if (last) newestMs = Math.max(newestMs, receivedMs(last));
    const againMs = Math.max(fromMs, newestMs - overlapMs);
    for (const [id, seenMs] of seen) if (seenMs < againMs) seen.delete(id);
    // Behind a full page there is more, perhaps of the same millisecond; else what came late is looked for.
    const isFull = found.length === perPage;
    place = isFull && last ? { sinceMs: receivedMs(last), after: last.event_id } : beginAt(againMs);
    if (!isFull) await delay(pollMs, undefined, { signal: call.signal }).catch(() => undefined);
  }
}

/** Two senders may use one event id. */
function identityOf({ event_id, account_id, type, received }: TailedEvent): string {
  return `${event_id} ${received} ${type} ${account_id}`;
}

function beginAt(sinceMs: number): Place {
  return { sinceMs, after: '00000000-0000-0000-0000-000000000000' };
}

function receivedMs({ received }: TailedEvent): number {
  return Date.parse(`${received.replace(' ', 'T')}Z`);
}

async function eventsAfter(
  { api, given, signal }: RemoteCall,
  { sinceMs, after }: Place,
): Promise<TailedEvent[]> {
  const sql = `SELECT toString(events.event_id) AS event_id, received, type, version, account_id, data FROM events
WHERE received >= fromUnixTimestamp64Milli({since:Int64})
  AND (received > fromUnixTimestamp64Milli({since:Int64}) OR events.event_id >= toUUID({after:String}))
  AND ({type:String} = '' OR type = {type:String})
ORDER BY received, events.event_id LIMIT ${perPage}`;
  const parameters = { since: String(sinceMs), after, type: given.type ?? '' };
  const asked = api.call<{ data: TailedEvent[] }>({
    ...{ at: 'console', method: 'POST', path: '/v1/query', signal },
    body: { sql, parameters },
  });
  return (await asked.catch((error: unknown) => (signal.aborted ? { data: [] } : Promise.reject(error))))
    .data;
}

function lineOf({ received, type, account_id: account, data }: TailedEvent): string {
  return `${received}  ${type}  ${account === '' ? '-' : account}  ${JSON.stringify(data)}\n`;
}
