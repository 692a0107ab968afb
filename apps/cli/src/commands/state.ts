import type { AnswerOf } from '../calling/api.ts';
import { done, tableLines } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { countOption } from '../command-line/options.ts';

type Overview = AnswerOf<'GET /v1/overview'>;

const columns = ['accepted', 'stored', 'pending', 'deduplicated', 'dead', 'missing'] as const;

export const stateCommands = [
  defineCommand({
    words: 'overview',
    summary: 'show what happened in the last hours, and what needs attention',
    options: { hours: countOption('COUNT', 'from 1 to 24 (default: 1)', { least: 1 }) },
    async run({ api, options: { hours = 1 } }) {
      const overview = await api.call('GET /v1/overview', { query: { hours } });
      return done(overview, [
        ...tableLines(figuresOf(overview)),
        '',
        ...(overview.attention.length === 0
          ? ['Nothing needs attention.']
          : tableLines([['ATTENTION', 'KIND', 'COUNT', 'TYPE', 'REASON'], ...overview.attention.map(rowOf)])),
      ]);
    },
  }),
  defineCommand({
    words: 'status',
    summary: 'count the accepted, stored, pending, deduplicated, dead and missing events of the project',
    async run({ api }) {
      const status = await api.call('GET /v1/pipeline');
      const { events } = status;
      const row = columns.map((column) => (events[column] === null ? '?' : String(events[column])));
      return done(status, tableLines([columns.map((name) => name.toUpperCase()), row]));
    },
  }),
];

function figuresOf({ activity, signIns, rejections, delivery }: Overview): string[][] {
  const seconds = (value: number | null) => (value === null ? '-' : value.toFixed(2));
  const events = activity?.types.reduce((sum, each) => sum + each.events, 0);
  return [
    ['EVENTS', 'PLAYERS', 'SIGN-INS', 'REFUSED', 'REJECTED EVENTS', 'P99 SECONDS'],
    [
      String(events ?? '?'),
      String(activity?.players ?? '?'),
      String(signIns.completed),
      String(signIns.refused),
      String(rejections.events),
      seconds(delivery.p99Seconds),
    ],
  ];
}

function rowOf({ severity, kind, count, target }: Overview['attention'][number]): string[] {
  const amount = kind === 'insertsDelayed' ? `${count} s` : String(count ?? '-');
  return [severity, kind, amount, target.type ?? '-', target.reason ?? '-'];
}
