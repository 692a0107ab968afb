import { CommandFault, commandCodes, tableLines } from '../command.ts';
import type { ApiRequest } from './api.ts';
import type { RemoteCommand } from './remote-command.ts';

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

export const eventCommands: readonly RemoteCommand[] = [send, query];
