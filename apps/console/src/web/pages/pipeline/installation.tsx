import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { Meter } from './meter.tsx';
import { pipelineTexts } from './pipeline-texts.ts';

type State = NonNullable<AnswerOf<'GET /v1/pipeline'>['installation']>;
type Sample = NonNullable<AnswerOf<'GET /v1/pipeline/history'>['installation']>[number];

interface InstallationProps {
  /** Null for everybody except the owner of the installation. */
  readonly now: State | null;
  readonly samples: readonly Sample[] | null;
}

/** The queue, the workers and ClickHouse, which all projects share. */
export function Installation({ now, samples }: InstallationProps): ReactNode {
  const texts = useTexts(pipelineTexts);
  if (now === null) {
    return (
      <Panel title={texts.installation} id="installation">
        <EmptyState icon="lock" title={texts.installationHidden} text={texts.installationHiddenText} />
      </Panel>
    );
  }
  return (
    <Panel title={texts.installation} id="installation" isFlush>
      <p className="px-3 pb-3 text-soft">{texts.installationText}</p>
      <div className="grid gap-x-8 gap-y-6 px-3 pb-5 md:grid-cols-2 xl:grid-cols-3">
        <Part title={texts.queue}>
          <Lanes queue={now.queue} />
          <SampleChart samples={samples} amountOf={chunksOf} name={texts.queueHistory} />
        </Part>
        <Part title={texts.warehouse}>
          <Tables warehouse={now.warehouse} />
          <SampleChart samples={samples} amountOf={partsOf} name={texts.parts} />
        </Part>
        <Part title={texts.disk}>
          <Disk warehouse={now.warehouse} />
          <SampleChart samples={samples} amountOf={freeBytesOf} name={texts.diskHistory} unit="bytes" />
        </Part>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-3 pb-1">
        <h3 className="font-semibold">{texts.eachWorker}</h3>
        <Together inserts={now.inserts} />
      </div>
      <WorkerTable workers={now.workers} />
    </Panel>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

const fullQueue = 0.8;
const fullDisk = 0.9;
/** From here on ClickHouse slows inserts down, unless it is configured otherwise. */
const slowParts = 1_000;

function Lanes({ queue }: Pick<State, 'queue'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  if (queue === null) return <p className="text-bad">{texts.queueGone}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {queue.map(({ chunks, oldestSeconds, usedBytes, limitBytes }, index) => {
        const name = texts.lane(formats.number(index + 1));
        return (
          <li key={name} className="flex flex-col gap-1">
            <Pair name={name} value={texts.used(formats.bytes(usedBytes), formats.bytes(limitBytes))} />
            <Meter label={name} value={usedBytes} limit={limitBytes} badFrom={fullQueue} />
            <span className="text-soft">
              {chunks === 0
                ? texts.laneEmpty
                : texts.laneWaiting(formats.number(chunks), formats.duration(oldestSeconds ?? 0))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** What all workers do, beside what each does. */
function Together({ inserts }: Pick<State, 'inserts'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { eventsPerSecond, inserts: batches, openInserts, oldestOpenSeconds, p99Seconds } = inserts;
  const parts = [
    batches === 0
      ? texts.workersIdle
      : texts.workersText(formats.rate(eventsPerSecond), formats.number(batches)),
    p99Seconds !== null && texts.workersSlowest(formats.duration(p99Seconds)),
    oldestOpenSeconds === null
      ? texts.openNone
      : texts.workersOpen(formats.number(openInserts), formats.duration(oldestOpenSeconds)),
  ];
  return <p className="text-sm text-soft">{parts.filter((part) => part !== false).join(' · ')}</p>;
}

function Tables({ warehouse }: Pick<State, 'warehouse'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  if (warehouse === null) return <p className="text-bad">{texts.warehouseGone}</p>;
  const { rows, bytes, parts, partsOfFullestPartition } = warehouse;
  const isSlow = partsOfFullestPartition >= slowParts;
  return (
    <div className="flex flex-col gap-1">
      <Pair name={texts.rows} value={formats.compact(rows)} />
      <Pair name={texts.size} value={formats.bytes(bytes)} />
      <Pair name={texts.parts} value={formats.number(parts)} />
      <Pair name={texts.fullest} value={formats.number(partsOfFullestPartition)} />
      <p className={`text-sm ${isSlow ? 'text-bad' : 'text-soft'}`}>
        {isSlow ? texts.fullestAdvice : texts.partsText}
      </p>
    </div>
  );
}

function Disk({ warehouse }: Pick<State, 'warehouse'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  if (warehouse === null) return <p className="text-soft">–</p>;
  const { diskFreeBytes, diskTotalBytes } = warehouse;
  const usedBytes = diskTotalBytes - diskFreeBytes;
  return (
    <div className="flex flex-col gap-1">
      <Pair
        name={texts.diskUsed}
        value={texts.used(formats.bytes(usedBytes), formats.bytes(diskTotalBytes))}
      />
      <Meter label={texts.diskUsed} value={usedBytes} limit={diskTotalBytes} badFrom={fullDisk} />
      <span className="text-soft">{texts.diskText}</span>
    </div>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span className="text-soft">{name}</span>
      <span className="font-medium">{value}</span>
    </div>
  );
}

const chunksOf = ({ queue }: Sample) => queue?.reduce((sum, { chunks }) => sum + chunks, 0) ?? null;
const partsOf = ({ warehouse }: Sample) => warehouse?.parts ?? null;
const freeBytesOf = ({ warehouse }: Sample) => warehouse?.diskFreeBytes ?? null;

interface SampleChartProps {
  readonly samples: readonly Sample[] | null;
  readonly name: string;
  readonly amountOf: (sample: Sample) => number | null;
  readonly unit?: 'bytes';
}

/** At the lower edge of its part, so that the charts of all parts are on one line. */
function SampleChart({ samples, name, amountOf, unit }: SampleChartProps): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const timesMs = useMemo(() => samples?.map(({ at }) => Date.parse(at)) ?? [], [samples]);
  const series = useMemo(() => [{ name, values: samples?.map(amountOf) ?? [] }], [name, samples, amountOf]);
  const drawn = { label: name, timesMs, series, height: 120, ...(unit && { unit }) };
  return (
    <div className="mt-auto">
      {samples?.length === 0 && <p className="text-sm text-soft">{texts.noSamples}</p>}
      {timesMs.length > 0 && <TimeSeries {...drawn} format={formats[unit ?? 'whole']} />}
    </div>
  );
}

/** Each reports every five seconds: after three reports that did not come, it hangs or was killed. */
const silentMs = 15_000;

function WorkerTable({ workers }: Pick<State, 'workers'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  if (workers.length === 0) return <p className="text-bad">{texts.workersGone}</p>;
  return (
    <DataTable
      label={texts.eachWorker}
      rows={workers}
      keyOf={({ name }) => name}
      height={Math.min(8, workers.length + 1) * 28 + 2}
      columns={[
        { title: texts.workerName, width: 'minmax(160px, 2fr)', look: 'code', render: ({ name }) => name },
        { title: texts.workerStarted, width: '190px', render: ({ started }) => formats.time(started) },
        {
          title: texts.workerRate,
          width: '160px',
          isNumber: true,
          render: ({ eventsPerSecond }) => formats.rate(eventsPerSecond),
        },
        {
          title: texts.workerMemory,
          width: '110px',
          isNumber: true,
          render: ({ memoryBytes }) => formats.bytes(memoryBytes),
        },
        {
          title: texts.workerSeen,
          width: '220px',
          render: ({ seen }) =>
            nowMs() - Date.parse(seen) > silentMs ? (
              <span className="text-bad">{`${formats.clock(seen)} · ${texts.workerSilent}`}</span>
            ) : (
              formats.clock(seen)
            ),
        },
      ]}
    />
  );
}
