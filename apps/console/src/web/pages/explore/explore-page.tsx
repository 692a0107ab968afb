import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { SaveToDashboard } from '../dashboards/save-to-dashboard.tsx';
import { analysisOf, titleOf } from '../dashboards/tiles/analysis-of.ts';
import { useFirstEvent } from '../overview/first-event/use-first-event.tsx';
import { Builder } from './builder/builder.tsx';
import type { ExploreSearch } from './explore-search.ts';
import { exploreTexts } from './explore-texts.ts';
import {
  BreakdownResult,
  FunnelResult,
  RetentionResult,
  SessionResult,
} from './results/analysis-results.tsx';
import { CountsResult } from './results/counts-result.tsx';

/** A question about events on the left, its answer on the right. The address is the question. */
export function ExplorePage(): ReactNode {
  const texts = useTexts(exploreTexts);
  const question = useSearch({ from: '/p/$projectId/explore' });
  const navigate = useNavigate({ from: '/p/$projectId/explore' });
  const change = (changed: Partial<ExploreSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const analysis = analysisOf(question);
  const first = useFirstEvent();
  return (
    <Page
      actions={
        <SaveToDashboard
          asked={analysis && { analysis }}
          title={titleOf(question, texts)}
          key={JSON.stringify(question)}
        />
      }
    >
      <div className="grid flex-1 grid-cols-1 items-start gap-3 lg:grid-cols-[280px_minmax(0,1fr)]">
        <Panel>
          <Builder question={question} onChange={change} />
        </Panel>
        <div className="flex min-w-0 flex-col gap-3">
          {first.steps}
          {!first.isEmpty && <Result question={question} />}
        </div>
      </div>
    </Page>
  );
}

/** The answer to the question, or what is missing of the question. */
function Result({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const { analysis } = question;
  if (analysis === 'volume' || analysis === 'players')
    return <CountsResult key={analysis} analysis={analysis} question={question} />;
  if (analysis === 'retention') return <RetentionResult question={question} />;
  if (analysis === 'session-length') return <SessionResult question={question} />;
  if (analysis === 'breakdown') {
    if (question.type !== '' && question.member !== '') return <BreakdownResult question={question} />;
    return <EmptyState icon="compass" title={texts.chooseType} text={texts.chooseTypeHelp} />;
  }
  if (question.steps.length > 1) return <FunnelResult question={question} />;
  return <EmptyState icon="compass" title={texts.chooseSteps} text={texts.chooseStepsHelp} />;
}
