import { type ReactNode, useMemo } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Meter } from './meter.tsx';
import { pipelineTexts } from './pipeline-texts.ts';
import { WorkerTable } from './worker-table.tsx';

type State = NonNullable<AnswerOf<'GET /v1/pipeline'>['installation']>;
type Samples = NonNullable<AnswerOf<'GET /v1/pipeline/history'>['installation']>;

interface InstallationProps {
  /** Null for everybody except the owner of the installation. */
  readonly now: State | null;
  readonly samples: Samples | null;
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
    <Panel title={texts.installation} id="installation">
      <div className="flex flex-col gap-4">
        <p className="text-soft">{texts.installationText}</p>
        <div className="grid gap-x-6 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
          <Lanes queue={now.queue} />
          <Workers inserts={now.inserts} />
          <Warehouse warehouse={now.warehouse} />
        </div>
        <div className="flex flex-col gap-1">
          <h3 className="font-medium">{texts.eachWorker}</h3>
          <WorkerTable workers={now.workers} />
        </div>
        {samples !== null && <SampleCharts samples={samples} />}
      </div>
    </Panel>
  );
}

const fullQueue = 0.8;
const fullDisk = 0.9;
/** From here on ClickHouse slows inserts down, unless it is configured otherwise. */
const slowParts = 1_000;

function Lanes({ queue }: Pick<State, 'queue'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
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

function Workers({ inserts }: Pick<State, 'inserts'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { eventsPerSecond, inserts: batches, openInserts, oldestOpenSeconds, p99Seconds } = inserts;
  return (
    <div className="flex flex-col gap-1">
      <Pair name={texts.workers} value={p99Seconds === null ? '' : `p99 ${formats.duration(p99Seconds)}`} />
      <span>
        {batches === 0
          ? texts.workersIdle
          : texts.workersText(formats.rate(eventsPerSecond), formats.number(batches))}
      </span>
      <span className="text-soft">
        {oldestOpenSeconds === null
          ? texts.openNone
          : texts.workersOpen(formats.number(openInserts), formats.duration(oldestOpenSeconds))}
      </span>
    </div>
  );
}

function Warehouse({ warehouse }: Pick<State, 'warehouse'>): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  if (warehouse === null) return <p className="text-bad">{texts.warehouseGone}</p>;
  const { rows, bytes, parts, partsOfFullestPartition, diskFreeBytes, diskTotalBytes } = warehouse;
  const isSlow = partsOfFullestPartition >= slowParts;
  return (
    <div className="flex flex-col gap-1">
      <Pair
        name={texts.disk}
        value={texts.diskFree(formats.bytes(diskFreeBytes), formats.bytes(diskTotalBytes))}
      />
      <Meter
        label={texts.disk}
        value={diskTotalBytes - diskFreeBytes}
        limit={diskTotalBytes}
        badFrom={fullDisk}
      />
      <Pair name={texts.rows} value={formats.compact(rows)} />
      <Pair name={texts.size} value={formats.bytes(bytes)} />
      <Pair name={texts.parts} value={formats.number(parts)} />
      <Pair name={texts.fullest} value={formats.number(partsOfFullestPartition)} />
      {isSlow && <p className="text-bad">{texts.fullestAdvice}</p>}
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

function SampleCharts({ samples }: { readonly samples: Samples }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const timesMs = useMemo(() => samples.map(({ at }) => Date.parse(at)), [samples]);
  const charts = useMemo(
    () => [
      {
        name: texts.queueHistory,
        format: formats.whole,
        values: samples.map(({ queue }) => queue.reduce((sum, { chunks }) => sum + chunks, 0)),
      },
      {
        name: texts.partsHistory,
        format: formats.whole,
        values: samples.map(({ warehouse }) => warehouse?.parts ?? null),
      },
      {
        name: texts.diskHistory,
        format: formats.bytes,
        values: samples.map(({ warehouse }) => warehouse?.diskFreeBytes ?? null),
      },
    ],
    [samples, texts, formats],
  );
  if (timesMs.length === 0) return <p className="text-soft">{texts.noSamples}</p>;
  return (
    <div className="grid gap-x-6 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
      {charts.map(({ name, values, format }) => (
        <TimeSeries
          key={name}
          label={name}
          timesMs={timesMs}
          series={[{ name, values }]}
          format={format}
          height={120}
        />
      ))}
    </div>
  );
}
