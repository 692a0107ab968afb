import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { seriesOfRows } from '../../charts/series-of-rows.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { PageState } from '../../components/page-state.tsx';
import { Panel } from '../../components/panel.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

const hoursAtMostMs = 8 * 86_400_000;

export function EventsChart(): ReactNode {
  const texts = useTexts(overviewTexts);
  const { range, zone, times, resolve } = useTime();
  const { fromMs, toMs } = resolve();
  const per = toMs - fromMs <= hoursAtMostMs ? 'hour' : 'day';
  const volume = useCall('POST /v1/analyses/volume', () => ({ body: { ...times(), per, timeZone: zone } }), {
    key: `${range} ${zone} ${per}`,
    everyMs: 30_000,
  });
  return (
    <Panel title={texts.events}>
      <PageState
        query={volume}
        isEmpty={({ results }) => results.length === 0}
        empty={<p className="text-soft">{texts.noEvents}</p>}
      >
        {({ results }) => <Volume rows={results} label={texts.events} />}
      </PageState>
    </Panel>
  );
}

interface VolumeProps {
  readonly rows: AnswerOf<'POST /v1/analyses/volume'>['results'];
  readonly label: string;
}

function Volume({ rows, label }: VolumeProps): ReactNode {
  const data = useMemo(
    () => seriesOfRows(rows.map(({ at, type, events }) => ({ at, name: type, value: events }))),
    [rows],
  );
  return <TimeSeries label={label} {...data} height={220} isOfPeriods />;
}

interface PlayersChartProps {
  readonly players: UseQueryResult<AnswerOf<'POST /v1/analyses/players'>, Error>;
}

export function PlayersChart({ players }: PlayersChartProps): ReactNode {
  const texts = useTexts(overviewTexts);
  return (
    <Panel title={texts.players}>
      <PageState
        query={players}
        isEmpty={({ results }) => results.length === 0}
        empty={<p className="text-soft">{texts.noEvents}</p>}
      >
        {({ results }) => (
          <TimeSeries
            label={texts.players}
            look="bars"
            isOfPeriods
            {...seriesOfRows(results.map(({ at, players: value }) => ({ at, name: texts.players, value })))}
          />
        )}
      </PageState>
    </Panel>
  );
}
