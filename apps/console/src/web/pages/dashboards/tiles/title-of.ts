import type { AnalysisName, ExploreSearch } from '../../explore/explore-search.ts';

export type TitleWords = Readonly<Record<AnalysisName, string>>;

/** `Breakdown: crash · gpu`. */
export function titleOf(question: ExploreSearch, words: TitleWords): string {
  const { analysis, types, type, member, steps } = question;
  const name = words[analysis];
  const of = {
    breakdown: [type, member].filter((each) => each !== '').join(' · '),
    funnel: steps.join(' → '),
    volume: types.join(', '),
    players: types.join(', '),
    retention: '',
    'session-length': '',
  }[analysis];
  return (of === '' ? name : `${name}: ${of}`).slice(0, 200);
}
