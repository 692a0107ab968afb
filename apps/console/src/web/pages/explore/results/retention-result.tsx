import { type ReactNode, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { type ExploreSearch, perOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';

const periods = 14;
const dayMs = 86_400_000;

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
  const shortName = per === 'week' ? texts.periodWeekShort : texts.periodDayShort;
  const asked = { per, periods, timeZone: zone, sql: true } as const;
  const retention = useCall('POST /v1/analyses/retention', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['retention', range, asked]),
  });
  return (
    <PageState
      query={retention}
      isQuestion
      isEmpty={({ results }) => results.length === 0}
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
      {({ results, sql }) => {
        const columns = Math.max(...results.map(({ returned }) => returned.length));
        const numbers = Array.from({ length: columns }, (_, period) => String(period + 1));
        const heads = numbers.map(periodName);
        return (
          <>
            <AnswerPanel
              title={texts.retention}
              sql={sql}
              name="retention"
              heads={[texts.cohort, texts.playersColumn, ...heads]}
              rows={results.map(({ cohort, players, returned }) => [cohort, players, ...returned])}
            >
              <HeatMap
                label={texts.retention}
                heads={[texts.cohort, texts.playersColumn, ...numbers.map(shortName)]}
                rows={results.map(({ cohort, players, returned }) => ({
                  name: formats.day(cohort),
                  detail: formats.number(players),
                  cells: returned.map((back, period) =>
                    isReached(cohort, period + 1, per) ? back / players : null,
                  ),
                }))}
                // Whole percents, so that a fortnight fits beside the question.
                write={(fraction) => formats.percent(Math.round(fraction * 100) / 100)}
                onOpen={(row, column) =>
                  setBehind({ cohort: results[row]?.cohort ?? '', period: column + 1 })
                }
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

/** Whether the period has begun: what has not happened yet is no zero. */
function isReached(cohort: string, period: number, per: 'day' | 'week'): boolean {
  return Date.parse(cohort) + period * (per === 'week' ? 7 : 1) * dayMs <= nowMs();
}
