import {
  type AnalysisName,
  completeOf,
  type ExploreSearch,
  perOf,
  readExploreSearch,
  stepName,
  stepsOf,
} from '../../explore/explore-search.ts';
import type { Tile } from '../use-dashboards.ts';

/** The question of Explore as the analysis of a tile. Null while it is not complete. */
export function analysisOf(question: ExploreSearch): NonNullable<Tile['analysis']> | null {
  const { analysis: name, by, types, split, type, member, steps, windowHours } = question;
  const where = completeOf(question.where);
  const filtered = where.length > 0 ? { where } : {};
  const per = perOf(name, question.per);
  if (name === 'volume' || name === 'players') {
    const parameters = {
      per,
      ...(name === 'volume' && by !== 'occurred' && { by }),
      ...(types.length > 0 && { types: [...types] }),
      ...filtered,
      ...(split !== '' && { split: { member: split } }),
    };
    return { name, parameters };
  }
  if (name === 'breakdown') {
    return type === '' || member === '' ? null : { name, parameters: { type, member, ...filtered } };
  }
  if (name === 'funnel') {
    if (steps.length < 2) return null;
    const windowSeconds = Math.round(windowHours * 3_600);
    return { name, parameters: { steps: stepsOf(question), windowSeconds } };
  }
  return { name, parameters: name === 'retention' ? { per, periods: 14 } : {} };
}

/** The opposite of `analysisOf`. Null for a tile that the form cannot show without losing something. */
export function questionOf(analysis: NonNullable<Tile['analysis']>): ExploreSearch | null {
  const { name } = analysis;
  const parameters: Readonly<Record<string, unknown>> = { ...analysis.parameters };
  const { steps, split, windowSeconds, ...same } = parameters;
  const stepList: readonly unknown[] = Array.isArray(steps) ? steps : [];
  const search: object = {
    ...same,
    analysis: name,
    steps: stepList.map((step) => String(memberOf(step, 'type'))),
    stepWhere: stepList.map((step) => memberOf(step, 'where') ?? []),
    split: String(memberOf(split, 'member') ?? ''),
    windowHours: Number(windowSeconds ?? 86_400) / 3_600,
  };
  const question = readExploreSearch(search as Parameters<typeof readExploreSearch>[0]);
  const again = analysisOf(question);
  return again !== null && sorted(again) === sorted({ name, parameters }) ? question : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Equal for equal values, whatever the order of their members. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export type TitleWords = Readonly<Record<AnalysisName, string>>;

/** `Breakdown: crash · gpu`. */
export function titleOf(question: ExploreSearch, words: TitleWords): string {
  const { analysis, types, type, member } = question;
  const steps = stepsOf(question).map(stepName);
  const name = words[analysis];
  const of = {
    breakdown: [type, member].filter((each) => each !== '').join(' · '),
    funnel: (steps.length > 2 ? [steps[0], '…', steps.at(-1)] : steps).join(' → '),
    volume: types.join(', '),
    players: types.join(', '),
    retention: '',
    'session-length': '',
  }[analysis];
  return (of === '' ? name : `${name}: ${of}`).slice(0, 200);
}
