import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/states/page-state.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import type { ExploreSearch } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { BreakdownResult } from './breakdown-result.tsx';
import { FunnelResult } from './funnel-result.tsx';
import { PlayersResult } from './players-result.tsx';
import { RetentionResult } from './retention-result.tsx';
import { SessionResult } from './session-result.tsx';
import { VolumeResult } from './volume-result.tsx';

/** The answer to the question, or what is missing of the question. */
export function Result({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const { analysis } = question;
  if (analysis === 'volume') return <VolumeResult question={question} />;
  if (analysis === 'players') return <PlayersResult question={question} />;
  if (analysis === 'retention') return <RetentionResult question={question} />;
  if (analysis === 'session-length') return <SessionResult />;
  if (analysis === 'breakdown') {
    if (question.type !== '' && question.member !== '') return <BreakdownResult question={question} />;
    return <EmptyState icon="compass" title={texts.chooseType} text={texts.chooseTypeHelp} />;
  }
  if (question.steps.length > 1) return <FunnelResult question={question} />;
  return <EmptyState icon="compass" title={texts.chooseSteps} text={texts.chooseStepsHelp} />;
}
