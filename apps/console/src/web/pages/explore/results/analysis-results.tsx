import { type ReactNode, useMemo, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useCall } from '../../../api/use-call.ts';
import { Bars } from '../../../charts/bars.tsx';
import { Funnel } from '../../../charts/funnel.tsx';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { completeOf, type ExploreSearch, perOf, stepName, stepsOf } from '../explore-search.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel, chartHeight } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';
import { RetentionMap } from './retention-map.tsx';
import { sessionSeries } from './series-of.ts';

export function BreakdownResult({ question }: { readonly question: ExploreSearch }): ReactNode {
  const texts = useTexts(exploreTexts);
  const formats = useFormats();
  const { range, zone, times } = useTime();
  const [behind, setBehind] = useState<string | null | undefined>(undefined);
  const { type, member } = question;
  const where = completeOf(question.where);
  const asked = { type, member, where, mostValues: 50, timeZone: zone, sql: true } as const;
  const breakdown = useCall('POST /v1/analyses/breakdown', () => ({ body: { ...times(), ...asked } }), {
    key: JSON.stringify(['breakdown', range, asked]),
  });
  const nameOf = (value: string | null) => value ?? texts.without;
  return (
    <PageState
      query={breakdown}
      isQuestion
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
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
              title={texts.behindTitle(`${member} = ${nameOf(behind)}`)}
              call="POST /v1/analyses/breakdown/players"
              body={() => ({ ...times(), timeZone: zone, type, member, where, value: behind })}
              onClose={() => setBehind(undefined)}
            />
          )}
        </>
      )}
    </PageState>
  );
}

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

type Row = RowOf<'POST /v1/analyses/session-length'>;

export function SessionResult(): ReactNode {
  const texts = useTexts(exploreTexts);
  const { range, zone, times } = useTime();
  const [isListed, setIsListed] = useState(false);
  const sessions = useCall(
    'POST /v1/analyses/session-length',
    () => ({ body: { ...times(), timeZone: zone, sql: true } }),
    { key: `session ${range} ${zone}` },
  );
  return (
    <PageState
      query={sessions}
      isQuestion
      empty={<EmptyState icon="compass" title={texts.nothingTitle} text={texts.nothingHelp} />}
    >
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
              title={texts.behindTitle(texts['session-length'])}
              call="POST /v1/analyses/volume/players"
              body={() => ({ ...times(), timeZone: zone })}
              onClose={() => setIsListed(false)}
            />
          )}
        </>
      )}
    </PageState>
  );
}

function SessionChart({ results }: { readonly results: readonly Row[] }): ReactNode {
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
