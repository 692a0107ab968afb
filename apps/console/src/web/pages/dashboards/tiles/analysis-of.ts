import { completeOf, type ExploreSearch, perOf, stepsOf } from '../../explore/explore-search.ts';
import type { Tile } from '../range-of-dashboard.ts';

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
