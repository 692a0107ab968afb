import { type MemberCondition, readCondition, readStep } from '@tickrate/contract/conditions';
import { done, tableLines, wrongUse } from '../command-line/command.ts';
import { type CommandContext, defineCommand } from '../command-line/define-command.ts';
import {
  choiceOption,
  countOption,
  listOption,
  type OptionValues,
  textOption,
} from '../command-line/options.ts';
import { durationMs, readTime } from '../command-line/read-time.ts';

const period = {
  from: textOption('TIME', 'start: RFC 3339, or how long ago, as in 30d (default: 7d)'),
  to: textOption('TIME', 'end (default: now)'),
  zone: textOption('ZONE', 'the zone in which days start, such as Europe/Berlin (default: UTC)'),
};
const split = textOption('MEMBER', 'a row for each of the most frequent values of this member');

export const analysisCommands = [
  defineCommand({
    words: 'analyse volume',
    summary: 'count events by type and time',
    options: {
      ...period,
      per: choiceOption(['hour', 'day', 'week', 'month'], 'the length of a bucket (default: day)'),
      type: listOption('NAME', 'events of this type only'),
      split,
    },
    async run({ api, options: { per = 'day', type, split: member, ...range }, now }) {
      const types = type.length === 0 ? undefined : [...type];
      const body = { ...rangeOf(range, now), per, types, split: splitOf(member) };
      return table(await api.call('POST /v1/analyses/volume', { body }));
    },
  }),
  defineCommand({
    words: 'analyse players',
    summary: 'count distinct players by day, week or month',
    options: {
      ...period,
      per: choiceOption(['day', 'week', 'month'], 'the length of a bucket (default: day)'),
      split,
    },
    async run({ api, options: { per = 'day', split: member, ...range }, now }) {
      const body = { ...rangeOf(range, now), per, split: splitOf(member) };
      return table(await api.call('POST /v1/analyses/players', { body }));
    },
  }),
  defineCommand({
    words: 'analyse session-length',
    summary: 'measure how long sessions last, by the day on which they started',
    options: period,
    async run({ api, options, now }) {
      return table(await api.call('POST /v1/analyses/session-length', { body: rangeOf(options, now) }));
    },
  }),
  defineCommand({
    words: 'analyse funnel',
    summary: "count the players who reach each step: --step TYPE --step 'TYPE member=value' …",
    options: {
      ...period,
      step: listOption("'TYPE member=value'", 'the steps, in their order'),
      window: textOption('DURATION', 'how long a player may take: 90s, 10m, 2h, 7d (default: 1d)'),
      split,
    },
    async run({ api, options: { step, window = '1d', split: member, ...range }, now }) {
      const steps = step.map(stepOf);
      const body = {
        ...rangeOf(range, now),
        steps,
        windowSeconds: secondsOf(window),
        split: splitOf(member),
      };
      return table(await api.call('POST /v1/analyses/funnel', { body }));
    },
  }),
  defineCommand({
    words: 'analyse retention',
    summary: 'count the players who come back after a number of days or weeks',
    options: {
      ...period,
      per: choiceOption(['day', 'week'], 'the length of a period (default: day)'),
      periods: countOption('N', 'how many periods', { least: 1 }),
    },
    async run({ api, options: { per = 'day', periods, ...range }, now }) {
      const body = { ...rangeOf(range, now), per, periods };
      return table(await api.call('POST /v1/analyses/retention', { body }));
    },
  }),
  defineCommand({
    words: 'analyse breakdown',
    operands: 'TYPE MEMBER',
    summary: 'count how often each value of a member is sent',
    options: {
      ...period,
      where: listOption('member=value', 'a condition, also with !=, <, <=, >, >='),
      count: countOption('N', 'how many values', { least: 1 }),
    },
    async run({ api, operands: [type = '', member = ''], options: { where, count, ...range }, now }) {
      const conditions = where.map(conditionOf);
      const body = { ...rangeOf(range, now), type, member, where: conditions, mostValues: count };
      return table(await api.call('POST /v1/analyses/breakdown', { body }));
    },
  }),
  defineCommand({
    words: 'analyse player',
    operands: 'ACCOUNT-ID',
    summary: 'list the events of one player',
    options: { ...period, count: countOption('N', 'how many events', { least: 1 }) },
    async run({ api, operands: [accountId = ''], options: { count, ...range }, now }) {
      const body = { ...rangeOf(range, now), accountId, mostEvents: count };
      return table(await api.call('POST /v1/analyses/player', { body }));
    },
  }),
];

function rangeOf(range: OptionValues<typeof period>, now: CommandContext['now']) {
  const nowMs = now();
  return {
    from: new Date(readTime('from', range.from ?? '7d', nowMs)).toISOString(),
    to: new Date(readTime('to', range.to ?? '0s', nowMs)).toISOString(),
    timeZone: range.zone,
  };
}

function stepOf(text: string) {
  const { type, where } = readStep(text);
  if (!where.ok) throw wrongCondition(where.part);
  return { type, where: [...where.conditions] };
}

function conditionOf(text: string): MemberCondition {
  const condition = readCondition(text);
  if (condition === null) throw wrongCondition(text);
  return condition;
}

function wrongCondition(part: string) {
  return wrongUse(
    `'${part}' is not a condition: write member=value, or !=, <, <=, >, >=; quote a text with signs; a step has 10 at most`,
  );
}

function splitOf(member: string | undefined) {
  return member === undefined ? undefined : { member };
}

function secondsOf(text: string): number {
  const ms = durationMs(text);
  if (ms !== null && ms > 0) return ms / 1_000;
  throw wrongUse(`--window: expected a duration such as 90s, 10m, 2h or 7d, got '${text}'`);
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of an answer as a table, with the names of the members as headings. */
function table(answer: { readonly results: readonly Row[] }) {
  const [first] = answer.results;
  if (first === undefined) return done(answer, ['There are no events in that time']);
  const names = Object.keys(first);
  const rows = answer.results.map((row) => names.map((name) => cellOf(row[name])));
  return done(answer, tableLines([names, ...rows]));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
