import { type ReactNode, useMemo, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useCall } from '../../../api/use-call.ts';
import { TimeSeries } from '../../../charts/time-series.tsx';
import { EmptyState, PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { exploreTexts } from '../explore-texts.ts';
import { AnswerPanel, chartHeight } from './answer-panel.tsx';
import { PlayersDialog } from './players-dialog.tsx';
import { sessionSeries } from './series-of.ts';

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
