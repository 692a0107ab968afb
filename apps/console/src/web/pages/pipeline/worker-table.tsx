import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { DataTable } from '../../components/data-table.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { pipelineTexts } from './pipeline-texts.ts';

type Workers = NonNullable<AnswerOf<'GET /v1/pipeline'>['installation']>['workers'];

/** Each reports every five seconds: after three reports that did not come, it hangs or was killed. */
const silentMs = 15_000;

/** Each worker with what it does now. */
export function WorkerTable({ workers }: { readonly workers: Workers }): ReactNode {
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
        {
          title: texts.workerName,
          width: 'minmax(160px, 2fr)',
          render: ({ name }) => <span className="foreign font-mono text-sm">{name}</span>,
        },
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
        { title: texts.workerSeen, width: '220px', render: ({ seen }) => <Seen seen={seen} /> },
      ]}
    />
  );
}

function Seen({ seen }: { readonly seen: string }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const isSilent = nowMs() - Date.parse(seen) > silentMs;
  return (
    <span className={isSilent ? 'text-bad' : ''}>
      {formats.clock(seen)}
      {isSilent && ` · ${texts.workerSilent}`}
    </span>
  );
}
