import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RowOf } from '../../api/call.ts';
import { isForbidden } from '../../api/problem.ts';
import { useAct, useCall } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { Panel } from '../../components/panel.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { Icon } from '../../look/icon.tsx';
import { usePreferences } from '../../look/preferences.ts';
import { reasonName } from '../../texts/fault-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { DiscardButton, replayChanges } from '../quarantine/filter-acts.tsx';
import { pipelineTexts } from './pipeline-texts.ts';

/** Accepted events that ClickHouse refused: sent again or discarded, by type and reason. */
export function DeadLetters(): ReactNode {
  const texts = useTexts(pipelineTexts);
  const counts = useCall('GET /v1/quarantine/counts', { query: { kind: 'dead' } }, { everyMs: 10_000 });
  return (
    <Panel title={texts.dead}>
      {isForbidden(counts.error) ? (
        <p className="flex items-center gap-2 text-soft">
          <Icon name="lock" />
          {texts.deadForbidden}
        </p>
      ) : (
        <PageState
          query={counts}
          skeletonLines={2}
          empty={
            <p className="flex items-center gap-2 text-soft">
              <Icon name="circle-check" className="text-accent" />
              {texts.deadNone}
            </p>
          }
        >
          {({ results }) => (
            <div className="flex flex-col gap-2">
              <p className="text-soft">{texts.deadText}</p>
              <ul className="flex flex-col divide-y divide-line">
                {results.map((row) => (
                  <DeadRow key={`${row.type} ${row.version} ${row.reason}`} row={row} />
                ))}
              </ul>
            </div>
          )}
        </PageState>
      )}
    </Panel>
  );
}

function DeadRow({ row }: { readonly row: RowOf<'GET /v1/quarantine/counts'> }): ReactNode {
  const texts = useTexts(pipelineTexts);
  const formats = useFormats();
  const { language } = usePreferences();
  const { type, reason, events, last } = row;
  const filter = { kind: 'dead', reason, ...(type !== null && { type }) } as const;
  const replay = useAct('POST /v1/quarantine/replay', {
    changes: replayChanges,
    onDone: ({ replayed }) => showToast(texts.againDone(formats.number(replayed))),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <Link
        to="/p/$projectId/quarantine"
        from="/p/$projectId"
        search={filter}
        title={texts.details}
        className="flex min-w-0 flex-1 basis-56 flex-col hover:underline"
      >
        <span className="foreign">
          <span className="font-mono text-sm">{type ?? texts.unknownType}</span> ·{' '}
          {reasonName(reason, language)}
        </span>
        <span className="text-soft">
          {texts.deadEvents(formats.number(events))}, {texts.deadSince(formats.time(last))}
        </span>
      </Link>
      {/* Without a type, the filter would hold for the other types with this reason too. */}
      {type !== null && (
        <span className="flex gap-2">
          <Button
            icon="rotate-ccw"
            needs="quarantine:write"
            isDisabled={replay.isPending}
            onPress={() => replay.mutate({ body: { filter } })}
          >
            {texts.again}
          </Button>
          <DiscardButton
            filter={filter}
            name={type}
            words={{ ...texts, discardText: texts.discardText(formats.number(events)) }}
          />
        </span>
      )}
      <ProblemNote problem={replay.error} />
    </li>
  );
}
