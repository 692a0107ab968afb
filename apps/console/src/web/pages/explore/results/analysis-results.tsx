import { type ReactNode, useMemo, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { Bars } from '../../../charts/bars.tsx';
import { Funnel } from '../../../charts/funnel.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch, perOf, stepName, stepsOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel, AnswerState, chartHeight, useAnswer } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';
import { RetentionMap } from './retention-map.tsx';
import { sessionSeries } from './series-of.ts';

interface ResultProps {
  readonly question: ExploreSearch;
}

export function BreakdownResult({ question }: ResultProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const [behind, setBehind] = useState<string | null | undefined>(undefined);
  const { type, member } = question;
  const breakdown = useAnswer('breakdown', question, { mostValues: 50 });
  const nameOf = (value: string | null) => value ?? texts.without;
  return (
    <AnswerState query={breakdown}>
      {({ results, sql }) => (
        <>
          <AnswerPanel
            title={`${type} · ${member}`}
            sql={sql}
            name={`${type}-${member}`}
            heads={['value', 'events', 'players']}
            rows={results.map(({ value, events, players }) => [value, events, players])}
          >
            <Bars
              label={texts.breakdown}
              bars={results.map(({ value, events, players }) => ({
                name: nameOf(value),
                value: events,
                text: texts.eventsAndPlayers(formats.number(events), formats.number(players)),
              }))}
              onOpen={(name) => setBehind(results.find(({ value }) => nameOf(value) === name)?.value)}
            />
          </AnswerPanel>
          {behind !== undefined && (
            <PlayersDialog
              of={`${member} = ${nameOf(behind)}`}
              call="POST /v1/analyses/breakdown/players"
              asked={{ type, member, where: completeOf(question.where), value: behind }}
              onClose={() => setBehind(undefined)}
            />
          )}
        </>
      )}
    </AnswerState>
  );
}

export function FunnelResult({ question }: ResultProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const [behind, setBehind] = useState<number | null>(null);
  const steps = stepsOf(question);
  const names = steps.map(stepName);
  const windowSeconds = Math.round(question.windowHours * 3_600);
  const funnel = useAnswer('funnel', question);
  return (
    <AnswerState query={funnel} isEmpty={({ results }) => results.every(({ players }) => players === 0)}>
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
              of={`${behind + 1}. ${names[behind] ?? ''}`}
              call="POST /v1/analyses/funnel/players"
              asked={{ steps, windowSeconds, step: behind + 1 }}
              onClose={() => setBehind(null)}
            />
          )}
        </>
      )}
    </AnswerState>
  );
}

interface Cell {
  readonly cohort: string;
  readonly period: number;
}

export function RetentionResult({ question }: ResultProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const [behind, setBehind] = useState<Cell | null>(null);
  const per = perOf('retention', question.per) === 'week' ? 'week' : 'day';
  const periodName = per === 'week' ? texts.periodWeek : texts.periodDay;
  const retention = useAnswer('retention', question);
  return (
    <AnswerState query={retention}>
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
                of={`${formats.day(behind.cohort)}, ${periodName(String(behind.period))}`}
                call="POST /v1/analyses/retention/players"
                asked={{ per, ...behind }}
                onClose={() => setBehind(null)}
              />
            )}
          </>
        );
      }}
    </AnswerState>
  );
}

export function SessionResult({ question }: ResultProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const [isListed, setIsListed] = useState(false);
  const sessions = useAnswer('session-length', question);
  return (
    <AnswerState query={sessions}>
      {({ results, sql }) => (
        <>
          <AnswerPanel
            title={texts['session-length']}
            sql={sql}
            name="session-length"
            heads={['at', 'sessions', 'meanSeconds', 'medianSeconds', 'p90Seconds']}
            rows={results.map((row) => [
              row.at,
              row.sessions,
              row.meanSeconds,
              row.medianSeconds,
              row.p90Seconds,
            ])}
            onPlayers={() => setIsListed(true)}
          >
            <SessionChart results={results} />
          </AnswerPanel>
          {isListed && (
            <PlayersDialog
              of={texts['session-length']}
              call="POST /v1/analyses/volume/players"
              asked={{}}
              onClose={() => setIsListed(false)}
            />
          )}
        </>
      )}
    </AnswerState>
  );
}

interface SessionChartProps {
  readonly results: readonly RowOf<'POST /v1/analyses/session-length'>[];
}

function SessionChart({ results }: SessionChartProps): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const charted = useMemo(() => sessionSeries(results, texts), [results, texts]);
  return (
    <TimeSeries
      label={texts['session-length']}
      {...charted}
      height={chartHeight}
      isOfPeriods
      format={formats.duration}
      unit="seconds"
    />
  );
}
