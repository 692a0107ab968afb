import { setTimeout as delay } from 'node:timers/promises';
import { CommandFault, commandCodes, tableLines } from '../command.ts';
import type { ApiRequest } from './api.ts';
import type { RemoteCall, RemoteCommand } from './remote-command.ts';

const send: RemoteCommand = {
  ...{ words: 'send', operands: 'TYPE [JSON|-]', fewest: 1, most: 2, options: [] },
  summary: 'send one event, or an array of them; from standard input when left out',
  async run({ api, operands: [eventType = '', given = '-'], readInput }) {
    const body = given === '-' ? await readInput() : given;
    const isList = body.trimStart().startsWith('[');
    await api.call({
      ...{ at: 'gateway', method: 'PUT', path: `/v1/event/${isList ? 'batchInsert' : 'insert'}` },
      query: { eventType },
      body,
    });
    const amount = isList ? (JSON.parse(body) as unknown[]).length : 1;
    const lines = [amount === 1 ? 'One event is accepted.' : `${amount} events are accepted.`];
    return { code: commandCodes.done, json: { accepted: amount }, lines };
  },
};

const formats = ['JSON', 'JSONEachRow', 'CSV', 'Parquet', 'Arrow'];

const query: RemoteCommand = {
  ...{ words: 'query', operands: 'SQL|-', fewest: 1, most: 1, options: ['format', 'param'] },
  summary: "SQL over the project's events; --format streams the answer as it is",
  async run(call) {
    const { api, operands, given, out, readInput, signal } = call;
    const sql = operands[0] === '-' ? await readInput() : operands[0];
    const { format, parameters } = given;
    if (format !== null && !formats.includes(format)) {
      throw new CommandFault(`--format is one of ${formats.join(', ')}`, { code: commandCodes.wrongUse });
    }
    const request: ApiRequest = {
      ...{ at: 'console', method: 'POST', path: '/v1/query', signal },
      body: { sql, parameters, format: format ?? 'JSON' },
    };
    if (format !== null) {
      for await (const part of await api.stream(request)) await out(part);
      return { code: commandCodes.done, json: null, lines: null };
    }
    const answer = await api.call<QueryAnswer>(request);
    const names = answer.meta.map(({ name }) => name);
    const rows = answer.data.map((row) => names.map((name) => cellOf(row[name])));
    return { code: commandCodes.done, json: answer, lines: tableLines([names, ...rows]) };
  },
};

interface QueryAnswer {
  readonly meta: readonly { readonly name: string }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

function cellOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const pollMs = 500;
// An event can be stored after one that was received later: the last seconds are looked at again.
const overlapMs = 10_000;
const firstMs = 60_000;
const perPoll = 1_000;

const tail: RemoteCommand = {
  ...{ words: 'tail', operands: '', fewest: 0, most: 0, options: ['type', 'count'] },
  summary: 'events as they are stored, from a minute ago on, until Ctrl-C or --count N of them',
  async run(call) {
    const { given, out, signal, now } = call;
    const seen = new Set<string>();
    let left = given.count ?? Number.POSITIVE_INFINITY;
    let sinceMs = now() - firstMs;
    while (left > 0 && !signal.aborted) {
      const found = await eventsSince(call, sinceMs);
      for (const event of found.filter(({ event_id }) => !seen.has(event_id)).slice(0, left)) {
        remember(seen, event.event_id);
        left -= 1;
        await out(given.json ? `${JSON.stringify(event)}\n` : lineOf(event));
      }
      const newestMs = Date.parse(`${found.at(-1)?.received.replace(' ', 'T') ?? ''}Z`);
      const nextMs = found.length < perPoll ? newestMs - overlapMs : newestMs;
      if (nextMs > sinceMs) sinceMs = nextMs;
      if (left > 0) await delay(pollMs, undefined, { signal }).catch(() => undefined);
    }
    return { code: commandCodes.done, json: null, lines: null };
  },
};

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > 10 * perPoll && oldest !== undefined) seen.delete(oldest);
}

interface TailedEvent {
  readonly event_id: string;
  readonly received: string;
  readonly type: string;
  readonly account_id: string;
  readonly data: unknown;
}

async function eventsSince({ api, given, signal }: RemoteCall, sinceMs: number): Promise<TailedEvent[]> {
  const sql = `SELECT toString(event_id) AS event_id, received, type, version, account_id, data FROM events
WHERE received >= fromUnixTimestamp64Milli({since:Int64}) AND ({type:String} = '' OR type = {type:String})
ORDER BY received, event_id LIMIT ${perPoll}`;
  const parameters = { since: String(sinceMs), type: given.type ?? '' };
  const body = { sql, parameters };
  const asked = api.call<{ data: TailedEvent[] }>({
    ...{ at: 'console', method: 'POST', path: '/v1/query', signal },
    body,
  });
  return (await asked.catch((error: unknown) => (signal.aborted ? { data: [] } : Promise.reject(error))))
    .data;
}

function lineOf({ received, type, account_id: account, data }: TailedEvent): string {
  return `${received}  ${type}  ${account === '' ? '-' : account}  ${JSON.stringify(data)}\n`;
}

export const eventCommands: readonly RemoteCommand[] = [send, query, tail];
