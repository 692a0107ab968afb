import type { ReactNode } from 'react';
import { callForAnswer } from '../../api/call.ts';
import { useAct, useProjectId } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialogs/confirm-dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { useDownload } from '../../export/download.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import type { QuarantineFilter } from './quarantine-search.ts';
import { quarantineTexts } from './quarantine-texts.ts';

interface FilterActProps {
  readonly filter: QuarantineFilter;
  /** For dead letters alone. */
  readonly words?: {
    readonly replay: string;
    readonly replayed: (replayed: string) => string;
    readonly discardTitle: string;
    readonly discardText: string;
    readonly discarded: (count: string) => string;
  };
}

export function ReplayButton({ filter, words }: FilterActProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const replay = useAct('POST /v1/quarantine/replay', {
    changes: replayChanges,
    onDone: ({ replayed, refused }) => {
      const [again, still] = [formats.number(replayed), formats.number(refused)];
      if (words !== undefined) showToast(words.replayed(again));
      else
        showToast(replayed === 0 && refused > 0 ? texts.stillRefused(still) : texts.replayed(again, still));
    },
  });
  return (
    <>
      <Button
        needs="quarantine:write"
        icon="rotate-ccw"
        isDisabled={replay.isPending}
        onPress={() => replay.mutate({ body: { filter } })}
      >
        {(words ?? texts).replay}
      </Button>
      <ProblemNote problem={replay.error} />
    </>
  );
}

/** The kept events with their bodies, which the role may not show everybody. */
export function DownloadButton({ filter }: Pick<FilterActProps, 'filter'>): ReactNode {
  const texts = useTexts(quarantineTexts);
  const projectId = useProjectId();
  const file = useDownload('quarantine.ndjson', () =>
    callForAnswer('GET /v1/quarantine/export', { query: filter, projectId }),
  );
  return (
    <>
      <Button icon="download" needs="personal:read" isDisabled={file.isPending} onPress={() => file.mutate()}>
        {texts.download}
      </Button>
      <ProblemNote problem={file.error} />
    </>
  );
}

interface DiscardButtonProps extends FilterActProps {
  readonly name: string;
}

export function DiscardButton({ filter, name, words }: DiscardButtonProps): ReactNode {
  const texts = useTexts(quarantineTexts);
  const formats = useFormats();
  const purge = useAct('POST /v1/quarantine/purge', {
    changes: replayChanges,
    onDone: ({ rejected, deadEvents }) =>
      showToast((words ?? texts).discarded(formats.number(rejected + deadEvents))),
  });
  return (
    <ConfirmButton
      needs="quarantine:write"
      title={(words ?? texts).discardTitle}
      name={name}
      action={texts.discard}
      act={purge}
      input={{ body: { filter } }}
    >
      {(words ?? texts).discardText}
    </ConfirmButton>
  );
}

/** What a page shows that a replay changes. */
export const replayChanges = [
  'GET /v1/quarantine/counts',
  'GET /v1/quarantine',
  'GET /v1/quarantine/replays',
  'POST /v1/event-types/{name}/check',
  'GET /v1/pipeline',
  'GET /v1/overview',
] as const;
