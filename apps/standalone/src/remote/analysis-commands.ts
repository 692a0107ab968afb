import { CommandFault, commandCodes, tableLines } from '../command.ts';
import type { CommandArguments } from '../command-arguments.ts';
import { readCondition, readStep } from './read-condition.ts';
import { durationMs, readTime } from './read-time.ts';
import type { RemoteCommand } from './remote-command.ts';

type Row = Readonly<Record<string, unknown>>;

interface Analysis {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  readonly operands?: string;
  /** What it takes beside the time. */
  body(given: CommandArguments, operands: readonly string[]): object;
}

const analyses: readonly Analysis[] = [
  {
    name: 'volume',
    summary: 'events by type and hour, day, week or month',
    options: ['per', 'type'],
    body: ({ per, type }) => ({ per: per ?? 'day', ...(type !== null && { types: [type] }) }),
  },
  {
    name: 'players',
    summary: 'distinct players by day, week or month',
    options: ['per'],
    body: ({ per }) => ({ per: per ?? 'day' }),
  },
  {
    name: 'session-length',
    summary: 'how long sessions last, by the day on which they began',
    options: [],
    body: () => ({}),
  },
  {
    name: 'funnel',
    summary: "how many players get how far: --step TYPE --step 'TYPE member=value' …",
    options: ['step', 'window'],
    body: ({ steps, window }) => ({ steps: steps.map(readStep), windowSeconds: secondsOf(window ?? '1d') }),
  },
  {
    name: 'retention',
    summary: 'how many players come back after so many days or weeks',
    options: ['per', 'periods'],
    body: ({ per, periods }) => ({ per: per ?? 'day', ...(periods !== null && { periods }) }),
  },
  {
    name: 'breakdown',
    summary: 'the values of a member of a type, and how often each is sent',
    options: ['where', 'count'],
    operands: 'TYPE MEMBER',
    body: ({ conditions, count }, [type, member]) => ({
      ...{ type, member, where: conditions.map(readCondition) },
      ...(count !== null && { mostValues: count }),
    }),
  },
  {
    name: 'player',
    summary: 'the events of one player',
    options: ['count'],
    operands: 'ACCOUNT-ID',
    body: ({ count }, [accountId]) => ({ accountId, ...(count !== null && { mostEvents: count }) }),
  },
];

export const analysisCommands: readonly RemoteCommand[] = analyses.map(
  ({ name, summary, options, operands = '', body }) => {
    const amount = operands === '' ? 0 : operands.split(' ').length;
    return {
      ...{ words: `analyse ${name}`, summary, operands, fewest: amount, most: amount },
      options: ['from', 'to', ...options],
      async run({ api, given, operands: [...named], now }) {
        const time = {
          from: timeOf('from', given.from ?? '7d', now()),
          to: timeOf('to', given.to ?? '0s', now()),
        };
        const answer = await api.call<{ results: readonly Row[] }>({
          ...{ at: 'console', method: 'POST', path: `/v1/analyses/${name}` },
          body: { ...time, ...body(given, named) },
        });
        return { code: commandCodes.done, json: answer, lines: linesOf(answer.results) };
      },
    };
  },
);

function timeOf(option: string, text: string, nowMs: number): string {
  return new Date(readTime(option, text, nowMs)).toISOString();
}

function secondsOf(text: string): number {
  const ms = durationMs(text);
  if (ms !== null && ms > 0) return ms / 1_000;
  throw new CommandFault('--window is how long a player may take: 90s, 10m, 2h, 7d', {
    code: commandCodes.wrongUse,
  });
}

function linesOf(rows: readonly Row[]): string[] {
  const [first] = rows;
  if (first === undefined) return ['There is nothing in that time'];
  const names = Object.keys(first);
  return tableLines([names, ...rows.map((row) => names.map((name) => cellOf(row[name])))]);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
