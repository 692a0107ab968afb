import { type AnalysisName, type ExploreSearch, stepName, stepsOf } from '../../explore/explore-search.ts';

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
