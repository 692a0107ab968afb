import { searchReader } from '../../layout/search-reader.ts';

export const analyses = ['volume', 'players', 'breakdown', 'funnel', 'retention', 'session-length'] as const;
export type AnalysisName = (typeof analyses)[number];

export const comparisons = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;

export interface Condition {
  readonly member: string;
  readonly is: (typeof comparisons)[number];
  readonly value: string | number | boolean;
}

export const timeColumns = ['occurred', 'received'] as const;

const pers = ['hour', 'day', 'week', 'month'] as const;
export type Per = (typeof pers)[number];

/** The whole question, as the address has it: a link shows the same answer. Wrong parts are replaced by their defaults. */
export const readExploreSearch = searchReader({
  analysis: (value: unknown) => analyses.find((name) => name === value) ?? 'volume',
  /** Of volume and players: empty means all types. */
  types: textsOf,
  where: conditionsOf,
  split: textOf,
  /** Of breakdown. */
  type: textOf,
  member: textOf,
  /** Of funnel: event types, in order. */
  steps: (value: unknown) => textsOf(value).slice(0, 10),
  stepWhere: (value: unknown): readonly (readonly Condition[])[] =>
    Array.isArray(value) ? value.slice(0, 10).map(conditionsOf) : [],
  windowHours: (value: unknown) => {
    const hours = Number(value);
    return hours > 0 && hours <= 366 * 24 ? hours : 24;
  },
  per: (value: unknown) => pers.find((each) => each === value) ?? 'hour',
  /** Of volume: when events happened, or when they arrived. */
  by: (value: unknown) => timeColumns.find((each) => each === value) ?? 'occurred',
  compare: (value: unknown) => value === true,
});
export type ExploreSearch = ReturnType<typeof readExploreSearch>;
export const emptyQuestion = readExploreSearch({} as Parameters<typeof readExploreSearch>[0]);

function conditionsOf(value: unknown): readonly Condition[] {
  return Array.isArray(value) ? value.filter(isCondition).slice(0, 10) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, 100) : [];
}

function isCondition(value: unknown): value is Condition {
  if (typeof value !== 'object' || value === null) return false;
  const { member, is, value: compared } = value as Partial<Record<keyof Condition, unknown>>;
  return (
    typeof member === 'string' &&
    comparisons.some((name) => name === is) &&
    ['string', 'number', 'boolean'].includes(typeof compared)
  );
}

/** What a user typed: a number or a boolean where it reads as one, otherwise text. Quotes keep it a text. */
export function readValue(text: string): Condition['value'] {
  if (/^".*"$/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}

/** The opposite of `readValue`. */
export function writeValue(value: Condition['value']): string {
  return typeof value === 'string' && readValue(value) !== value ? `"${value}"` : String(value);
}

/** The periods that an analysis can count by. */
export const persOf: Readonly<Record<AnalysisName, readonly Per[]>> = {
  volume: pers,
  players: ['day', 'week', 'month'],
  breakdown: [],
  funnel: [],
  retention: ['day', 'week'],
  'session-length': [],
};

/** The period that an analysis can have, nearest to the chosen one. */
export function perOf(analysis: AnalysisName, per: Per): Per {
  const pers = persOf[analysis];
  return pers.includes(per) ? per : (pers[0] ?? per);
}

export function completeOf(where: readonly Condition[]): Condition[] {
  return where.filter(({ member }) => member !== '');
}

export interface FunnelStep {
  readonly type: string;
  readonly where?: Condition[];
}

export function stepsOf({ steps, stepWhere }: Pick<ExploreSearch, 'steps' | 'stepWhere'>): FunnelStep[] {
  return steps.map((type, index) => {
    const where = completeOf(stepWhere[index] ?? []);
    return where.length === 0 ? { type } : { type, where };
  });
}

const signs: Readonly<Record<Condition['is'], string>> = {
  equal: '=',
  notEqual: '≠',
  less: '<',
  lessOrEqual: '≤',
  greater: '>',
  greaterOrEqual: '≥',
};

/** `tutorial_step · step = 4`. */
export function stepName({ type, where = [] }: FunnelStep): string {
  return [type, ...where.map(({ member, is, value }) => `${member} ${signs[is]} ${writeValue(value)}`)].join(
    ' · ',
  );
}
