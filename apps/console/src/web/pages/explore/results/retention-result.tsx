import { type ReactNode, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { type ExploreSearch, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';
import { RetentionMap } from './retention-map.tsx';

const periods = 14;

interface Cell {
  readonly cohort: string;
  readonly period: number;
}

export function RetentionResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const { range, zone, times } = useTime();
  const [behind, setBehind] = useState<Cell | null>(null);
  const per = perOf('retention', question.per) === 'week' ? 'week' : 'day';
  const periodName = per === 'week' ? texts.periodWeek : texts.periodDay;
  const asked = { per, periods, timeZone: zone, sql: true } as const;
  const retention = useCall('POST /v1/analyses/retention', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['retention', range, asked]),
  });
  return (
    <PageState
      query={retention}
      isQuestion
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
      {({ results, sql }) => {
        const columns = Math.max(...results.map(({ returned }) => returned.length));
        const heads = Array.from({ length: columns }, (_, period) => periodName(String(period + 1)));
        return (
          <>
            <AnswerPanel
              title={texts.retention}
              sql={sql}
              name="retention"
              heads={[texts.cohort, texts.playersColumn, ...heads]}
              rows={results.map(({ cohort, players, returned }) => [cohort, players, ...returned])}
            >
              <RetentionMap
                label={texts.retention}
                per={per}
                cohorts={results}
                onOpen={(cohort, period) => setBehind({ cohort, period })}
              />
            </AnswerPanel>
            {behind !== null && (
              <PlayersDialog
                title={texts.behindTitle(
                  `${formats.day(behind.cohort)}, ${periodName(String(behind.period))}`,
                )}
                call="POST /v1/analyses/retention/players"
                body={() => ({ ...times(), timeZone: zone, per, ...behind })}
                onClose={() => setBehind(null)}
              />
            )}
          </>
        );
      }}
    </PageState>
  );
}
