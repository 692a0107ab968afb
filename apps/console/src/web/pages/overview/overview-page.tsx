import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { PageState } from '../../components/page-state.tsx';
import { Stat } from '../../components/stat.tsx';
import { Page } from '../../layout/page.tsx';
import { useFormats, useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Attention } from './attention.tsx';
import { EventsChart, PlayersChart } from './event-charts.tsx';
import { FirstEvent } from './first-event.tsx';
import { overviewTexts } from './overview-texts.ts';
import { ProofLine } from './proof-line.tsx';

const emptyPollMs = 700;
const pollMs = 5_000;
/** Players per day of fewer days make no chart. */
const fewestDays = 3;

export function OverviewPage(): ReactNode {
  const texts = useTexts(overviewTexts);
  const [wasEmpty, setWasEmpty] = useState(false);
  const pipeline = useCall('GET /v1/pipeline', undefined, { everyMs: wasEmpty ? emptyPollMs : pollMs });
  const isEmpty = pipeline.data?.events.accepted === 0;
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  return (
    <Page title={texts.title}>
      <PageState query={pipeline}>
        {(status) =>
          isEmpty || wasEmpty ? (
            <FirstEvent hasArrived={!isEmpty} onDone={() => setWasEmpty(false)} />
          ) : (
            <Filled status={status} />
          )
        }
      </PageState>
    </Page>
  );
}

function Filled({ status }: { readonly status: AnswerOf<'GET /v1/pipeline'> }): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { range, zone, times } = useTime();
  const rejected = useCall(
    'GET /v1/quarantine/counts',
    () => ({ query: { since: times().from, until: times().to, state: 'any' } }),
    { key: range, everyMs: 30_000 },
  );
  const players = useCall(
    'POST /v1/analyses/players',
    () => ({ body: { ...times(), per: 'day', timeZone: zone } }),
    { key: `${range} ${zone}`, everyMs: 60_000 },
  );
  const refused = rejected.data?.results.reduce((sum, { events }) => sum + events, 0);
  const { accepted } = status.events;
  const { p99Seconds, eventsPerSecond } = status.inserts;
  return (
    <>
      <ProofLine events={status.events} />
      <div className="flex flex-wrap gap-3">
        <Stat name={texts.perSecond} value={formats.rate(eventsPerSecond)} detail={texts.perSecondDetail} />
        <Stat
          name={texts.playersToday}
          value={numberOr(players.data?.results.at(-1)?.players, formats.number)}
          detail={texts.playersDetail}
        />
        <Stat
          name={texts.rejected}
          value={numberOr(refused, formats.number)}
          isBad={(refused ?? 0) > 0}
          detail={
            refused === undefined
              ? ''
              : texts.rejectedDetail(formats.percent(refused / Math.max(1, refused + accepted)))
          }
        />
        <Stat
          name={texts.lag}
          value={numberOr(p99Seconds ?? undefined, formats.duration)}
          detail={texts.lagDetail}
        />
      </div>
      <div className="grid gap-3 xl:grid-cols-[2fr_1fr]">
        <div className="flex min-w-0 flex-col gap-3">
          <EventsChart />
          {(players.data?.results.length ?? 0) >= fewestDays && <PlayersChart players={players} />}
        </div>
        <Attention counts={rejected} />
      </div>
    </>
  );
}

function numberOr(value: number | undefined, write: (value: number) => string): string {
  return value === undefined ? '–' : write(value);
}
