import { type ExploreSearch, readExploreSearch } from '../../explore/explore-search.ts';
import type { Tile } from '../range-of-dashboard.ts';
import { analysisOf } from './analysis-of.ts';

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
