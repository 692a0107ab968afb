import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useCall } from '../../api/use-call.ts';
import { Panel } from '../../components/panel.tsx';
import { Stat } from '../../components/stat.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useFormats, useTime } from '../../layout/use-time.ts';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AttentionList } from '../overview/attention-list.tsx';
import { ProofLine } from '../overview/proof-line.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { InsertHistory } from './insert-history.tsx';
import { Installation } from './installation.tsx';
import { pipelineTexts } from './pipeline-texts.ts';

const pollMs = 5_000;
const historyMs = 30_000;
const hourMs = 3_600_000;
/** The server keeps no more. */
const mostHours = 24;

/** Where events are between the gateway and ClickHouse, and what to do when they stay there. */
export function PipelinePage(): ReactNode {
  const texts = useTexts(pipelineTexts);
  const { resolve } = useTime();
  const { fromMs, toMs } = resolve();
  const hours = Math.min(mostHours, Math.max(1, Math.ceil((toMs - fromMs) / hourMs)));
  const status = useCall('GET /v1/pipeline', undefined, { everyMs: pollMs });
  const history = useCall('GET /v1/pipeline/history', { query: { hours } }, { everyMs: historyMs });
  return (
    <Page title={texts.title}>
      <PageState query={status}>
        {(now) => (
          <>
            <ProofLine events={now.events} />
            <Figures status={now} />
            <div className="grid gap-3 xl:grid-cols-2">
              <Alarms />
              <DeadLetters />
            </div>
            <PageState query={history}>{(past) => <InsertHistory history={past} hours={hours} />}</PageState>
            <Installation now={now.installation} samples={history.data?.installation ?? null} />
          </>
        )}
      </PageState>
    </Page>
  );
}

function Figures({ status }: { readonly status: AnswerOf<'GET /v1/pipeline'> }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { inserts, usage } = status;
  const durationOr = (seconds: number | null) => (seconds === null ? '–' : formats.duration(seconds));
  return (
    <div className="flex flex-wrap gap-3">
      <Stat name={texts.stored} value={formats.rate(inserts.eventsPerSecond)} detail={texts.storedDetail} />
      <Stat name={texts.batches} value={formats.number(inserts.inserts)} detail={texts.batchesDetail} />
      <Stat
        name={texts.insertTime}
        value={durationOr(inserts.meanSeconds)}
        detail={
          inserts.p99Seconds === null
            ? texts.insertNone
            : texts.insertTimeDetail(formats.duration(inserts.p99Seconds))
        }
      />
      <Stat
        name={texts.open}
        value={formats.number(inserts.openInserts)}
        detail={
          inserts.oldestOpenSeconds === null
            ? texts.openNone
            : texts.openDetail(formats.duration(inserts.oldestOpenSeconds))
        }
      />
      <Stat
        name={texts.today}
        value={formats.compact(usage.today)}
        detail={texts.todayDetail(formats.compact(usage.thisMonth))}
      />
    </div>
  );
}

function Alarms(): ReactNode {
  const texts = useTexts(pipelineTexts);
  const overview = useCall('GET /v1/overview', undefined, { everyMs: pollMs });
  return (
    <Panel title={texts.alarms}>
      <PageState
        query={overview}
        skeletonLines={2}
        isEmpty={({ attention }) => attention.length === 0}
        empty={
          <p className="flex items-center gap-2 text-soft">
            <Icon name="circle-check" className="text-accent" />
            {texts.alarmsNone}
          </p>
        }
      >
        {({ attention }) => <AttentionList items={attention} />}
      </PageState>
    </Panel>
  );
}
