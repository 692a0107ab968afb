import { done, tableLines, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { choiceOption, listOption } from '../command-line/options.ts';

export const eventCommands = [
  defineCommand({
    words: 'send',
    operands: 'TYPE [JSON|-]',
    summary: 'send one event or an array of events, from standard input when JSON is left out',
    async run({ api, operands: [eventType = '', given = '-'], readInput }) {
      const body = given === '-' ? await readInput() : given;
      const isList = body.trimStart().startsWith('[');
      await api.send({
        to: 'gateway',
        path: `/v1/event/${isList ? 'batchInsert' : 'insert'}`,
        query: { eventType },
        body,
      });
      const accepted = isList ? (JSON.parse(body) as unknown[]).length : 1;
      return done({ accepted }, [accepted === 1 ? 'One event accepted.' : `${accepted} events accepted.`]);
    },
  }),
  defineCommand({
    words: 'query',
    operands: 'SQL|-',
    summary: 'run SQL over the events of the project; with - it is read from standard input',
    options: {
      format: choiceOption(
        ['JSON', 'JSONEachRow', 'CSV', 'Parquet', 'Arrow'],
        'stream the answer in this format, without a table',
      ),
      param: listOption('NAME=VALUE', 'the value of {NAME:Type} in the SQL'),
    },
    async run({ api, operands, options: { format, param }, out, readInput }) {
      const sql = operands[0] === '-' ? await readInput() : (operands[0] ?? '');
      const body = { sql, parameters: parametersOf(param), format: format ?? 'JSON' };
      if (format !== undefined) {
        for await (const part of await api.stream('POST /v1/query', { body })) await out(part);
        return done(null, null);
      }
      const answer = (await api.call('POST /v1/query', { body })) as QueryAnswer;
      const names = answer.meta.map(({ name }) => name);
      const rows = answer.data.map((row) => names.map((name) => cellOf(row[name])));
      return done(answer, tableLines([names, ...rows]));
    },
  }),
];

/** ClickHouse's JSON format. */
interface QueryAnswer {
  readonly meta: readonly { readonly name: string }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

function parametersOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw wrongUse(`--param: expected NAME=VALUE, got '${text}'`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function cellOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
