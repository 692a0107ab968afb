import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { Panel } from '../../components/panel.tsx';
import { Stat } from '../../components/stat.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useHours, useTime } from '../../layout/use-time.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { ActivityChart, type CountedTime } from './activity-chart.tsx';
import { AttentionList } from './attention-list.tsx';
import { DemoCard } from './demo-card.tsx';
import { FirstEvent } from './first-event/first-event.tsx';
import { overviewTexts } from './overview-texts.ts';
import { ProofLine } from './proof-line.tsx';

const emptyPollMs = 400;
const pollMs = 5_000;
const dayMs = 86_400_000;

/** What happened in the project, that nothing was lost, and what needs attention: one call. */
export function OverviewPage(): ReactNode {
  const texts = useTexts(overviewTexts);
  const { resolve, setRange } = useTime();
  const hours = useHours();
  const [wasEmpty, setWasEmpty] = useState(false);
  const [by, setBy] = useState<CountedTime>('occurred');
  const overview = useCall(
    'GET /v1/overview',
    { query: { hours, by } },
    { everyMs: wasEmpty ? emptyPollMs : pollMs },
  );
  const isEmpty = overview.data?.events.accepted === 0;
  if (isEmpty && !wasEmpty) setWasEmpty(true);
  // A chart of a whole day would show the first events at its edge.
  const showFirstHour = () => {
    setWasEmpty(false);
    setRange('1h');
  };
  // A minute passes between two polls.
  const isCut = overview.data !== undefined && !wasEmpty && nowMs() - resolve().fromMs > dayMs + 60_000;
  return (
    <Page actions={isCut && <span className="text-soft">{texts.cut}</span>}>
      <PageState query={overview}>
        {(data) =>
          isEmpty || wasEmpty ? (
            <>
              <FirstEvent hasArrived={!isEmpty} onDone={showFirstHour} />
              <div className="mx-auto w-full max-w-3xl">
                <DemoCard isOffered={isEmpty} />
              </div>
            </>
          ) : (
            <>
              <ProofLine events={data.events} />
              <Figures overview={data} hours={hours} />
              <div className="grid gap-3 xl:grid-cols-[minmax(0,5fr)_minmax(0,2fr)] xl:grid-rows-[auto_1fr]">
                <div className="min-w-0 xl:row-span-2">
                  <ActivityChart overview={data} hours={hours} by={by} onBy={setBy} />
                </div>
                <div className="min-w-0 max-xl:order-first">
                  <Panel title={texts.attention}>
                    <AttentionList items={data.attention} none={texts.attentionNone} />
                  </Panel>
                </div>
                <div className="min-w-0">
                  <DemoCard />
                </div>
              </div>
            </>
          )
        }
      </PageState>
    </Page>
  );
}

interface FiguresProps {
  readonly overview: AnswerOf<'GET /v1/overview'>;
  readonly hours: number;
}

/** How fast, by whom, what was refused, and how late. */
function Figures({ overview, hours }: FiguresProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { activity, signIns, rejections, delivery, usage } = overview;
  const attempts = signIns.completed + signIns.refused;
  const last = texts.lastHours(formats.number(hours));
  return (
    <div className="grid grid-cols-2 gap-3 *:last:col-span-2 md:grid-cols-3 xl:grid-cols-5 xl:*:last:col-span-1">
      <Stat
        name={texts.perMinute}
        value={formats.rate(delivery.eventsPerSecond * 60)}
        detail={texts.perMinuteDetail(formats.compact(usage.today))}
      />
      <Stat
        name={texts.players}
        value={activity === null ? '–' : formats.number(activity.players)}
        detail={activity === null ? last : texts.playersDetail(formats.number(activity.sessions), last)}
      />
      <Stat
        name={texts.signIns}
        value={formats.number(signIns.completed)}
        detail={
          attempts === 0
            ? last
            : texts.signInsDetail(
                formats.number(signIns.refused),
                formats.percent(signIns.refused / attempts),
                last,
              )
        }
      />
      <Stat
        name={texts.rejected}
        value={formats.percent(rejections.share)}
        isBad={rejections.events > 0}
        detail={
          rejections.events === 0 ? last : texts.rejectedDetail(formats.number(rejections.events), last)
        }
      />
      <Stat
        name={texts.lag}
        value={delivery.p99Seconds === null ? '–' : formats.duration(delivery.p99Seconds)}
        detail={
          delivery.meanSeconds === null
            ? texts.lagNone
            : texts.lagDetail(formats.duration(delivery.meanSeconds))
        }
      />
    </div>
  );
}
