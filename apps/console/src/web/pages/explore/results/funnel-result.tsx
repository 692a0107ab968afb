import { type ReactNode, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { Funnel } from '../../../charts/funnel.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { type ExploreSearch, stepName, stepsOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';

export function FunnelResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const { range, zone, times } = useTime();
  const [behind, setBehind] = useState<number | null>(null);
  const steps = stepsOf(question);
  const names = steps.map(stepName);
  const windowSeconds = Math.round(question.windowHours * 3600);
  const asked = { steps, windowSeconds, timeZone: zone, sql: true } as const;
  const funnel = useCall('POST /v1/analyses/funnel', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['funnel', range, asked]),
  });
  return (
    <PageState
      query={funnel}
      isQuestion
      isEmpty={({ results }) => results.every(({ players }) => players === 0)}
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
      {({ results, sql }) => (
        <>
          <AnswerPanel
            title={texts.funnel}
            sql={sql}
            name="funnel"
            heads={['step', 'name', 'players']}
            rows={results.map(({ step, players }) => [step, names[step - 1] ?? '', players])}
          >
            <Funnel
              label={texts.funnel}
              steps={results.map(({ step, players }) => ({ name: names[step - 1] ?? '', players }))}
              onOpen={setBehind}
            />
          </AnswerPanel>
          {behind !== null && (
            <PlayersDialog
              title={texts.behindTitle(`${behind + 1}. ${names[behind] ?? ''}`)}
              call="POST /v1/analyses/funnel/players"
              body={() => ({ ...times(), timeZone: zone, steps, windowSeconds, step: behind + 1 })}
              onClose={() => setBehind(null)}
            />
          )}
        </>
      )}
    </PageState>
  );
}
