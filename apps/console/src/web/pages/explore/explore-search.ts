import type { SearchSchemaInput } from '@tanstack/react-router';

export const analyses = ['volume', 'players', 'breakdown', 'funnel', 'retention', 'session-length'] as const;
export type AnalysisName = (typeof analyses)[number];

export const comparisons = ['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual'] as const;

export interface Condition {
  readonly member: string;
  readonly is: (typeof comparisons)[number];
  readonly value: string | number | boolean;
}

/** The whole question, as the address has it: a link shows the same answer. */
export interface ExploreSearch {
  readonly analysis: AnalysisName;
  /** Of volume and players: empty means all types. */
  readonly types: readonly string[];
  readonly where: readonly Condition[];
  readonly split: string;
  /** Of breakdown. */
  readonly type: string;
  readonly member: string;
  /** Of funnel: event types, in order. */
  readonly steps: readonly string[];
  readonly stepWhere: readonly (readonly Condition[])[];
  readonly windowHours: number;
  readonly per: Per;
  /** Of volume: when events happened, or when they arrived. */
  readonly by: (typeof timeColumns)[number];
  readonly compare: boolean;
}

export const timeColumns = ['occurred', 'received'] as const;

export type Per = 'hour' | 'day' | 'week' | 'month';

export const emptyQuestion: ExploreSearch = {
  analysis: 'volume',
  types: [],
  where: [],
  split: '',
  type: '',
  member: '',
  steps: [],
  stepWhere: [],
  windowHours: 24,
  per: 'hour',
  by: 'occurred',
  compare: false,
};

/** Wrong parts of an address are replaced by their defaults. */
export function readExploreSearch(search: Partial<ExploreSearch> & SearchSchemaInput): ExploreSearch {
  const windowHours = Number(search.windowHours);
  return {
    analysis: analyses.find((name) => name === search.analysis) ?? 'volume',
    types: textsOf(search.types),
    where: conditionsOf(search.where),
    split: textOf(search.split),
    type: textOf(search.type),
    member: textOf(search.member),
    steps: textsOf(search.steps).slice(0, 10),
    stepWhere: Array.isArray(search.stepWhere) ? search.stepWhere.slice(0, 10).map(conditionsOf) : [],
    windowHours: windowHours > 0 && windowHours <= 366 * 24 ? windowHours : 24,
    per: persOf.volume.find((each) => each === search.per) ?? 'hour',
    by: timeColumns.find((each) => each === search.by) ?? 'occurred',
    compare: search.compare === true,
  };
}

function conditionsOf(value: unknown): Condition[] {
  return Array.isArray(value) ? value.filter(isCondition).slice(0, 10) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): string[] {
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
  volume: ['hour', 'day', 'week', 'month'],
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
