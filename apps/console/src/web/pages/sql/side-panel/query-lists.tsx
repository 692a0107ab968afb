import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../../api/call.ts';
import { useAct, useList } from '../../../api/use-call.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { PageState } from '../../../components/states/page-state.tsx';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { HistoryEntry } from '../workspace.ts';

export type SavedQuery = RowOf<'GET /v1/saved-queries'>;

export function SavedList({ onOpen }: { readonly onOpen: (saved: SavedQuery) => void }): ReactNode {
  const texts = useTexts(sqlTexts);
  const { query, more } = useList('GET /v1/saved-queries');
  const [removed, setRemoved] = useState<SavedQuery | null>(null);
  const remove = useAct('DELETE /v1/saved-queries/{id}', { changes: ['GET /v1/saved-queries'] });
  return (
    <div className="min-h-0 flex-1 overflow-auto py-2">
      <PageState query={query} empty={<p className="px-3 text-soft">{texts.noSaved}</p>}>
        {(rows) => (
          <ul>
            {rows.map((saved) => (
              <li key={saved.id} className="flex items-center pr-2">
                <Entry title={saved.name} detail={saved.content.sql} onOpen={() => onOpen(saved)} />
                <IconButton
                  icon="trash"
                  label={texts.removeSaved(saved.name)}
                  onPress={() => setRemoved(saved)}
                />
              </li>
            ))}
          </ul>
        )}
      </PageState>
      {removed !== null && (
        <ConfirmDialog
          title={texts.removeTitle}
          name={removed.name}
          action={texts.remove}
          act={remove}
          input={{ params: { id: removed.id } }}
          onClose={() => setRemoved(null)}
        >
          {texts.removeText}
        </ConfirmDialog>
      )}
      {more !== undefined && (
        <Button look="quiet" onPress={more}>
          {texts.loadMore}
        </Button>
      )}
    </div>
  );
}

interface HistoryListProps {
  readonly history: readonly HistoryEntry[];
  readonly onOpen: (entry: HistoryEntry) => void;
  readonly onClear: () => void;
}

/** The statements that ran in this browser, newest first. */
export function HistoryList({ history, onOpen, onClear }: HistoryListProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  if (history.length === 0) return <p className="px-3 py-3 text-soft">{texts.noHistory}</p>;
  const outcomes = { failed: texts.failed, cancelled: texts.stopped, closed: texts.closed } as const;
  const summary = ({ outcome, rows, ms }: HistoryEntry) =>
    outcome === 'done'
      ? texts.rowCount(formats.number(rows ?? 0), formats.duration((ms ?? 0) / 1000))
      : outcomes[outcome];
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto py-2">
      <ul>
        {history.map((entry) => (
          <li key={entry.id} className="flex">
            <Entry
              title={`${formats.ago(entry.atMs, nowMs())} · ${summary(entry)}`}
              detail={entry.sql}
              onOpen={() => onOpen(entry)}
            />
          </li>
        ))}
      </ul>
      <div className="px-3 pt-2">
        <Button look="quiet" icon="trash" onPress={onClear}>
          {texts.clearHistory}
        </Button>
      </div>
    </div>
  );
}

interface EntryProps {
  readonly title: string;
  readonly detail: string;
  readonly onOpen: () => void;
}

function Entry({ title, detail, onOpen }: EntryProps): ReactNode {
  const short = detail.replaceAll(/\s+/g, ' ').slice(0, 200);
  return (
    <button
      type="button"
      title={detail.slice(0, 2_000)}
      className="flex min-w-0 flex-1 flex-col px-3 py-1 text-left -outline-offset-2 hover:bg-raised"
      onClick={onOpen}
    >
      <span className="foreign line-clamp-2 w-full">{title}</span>
      <span className="foreign w-full truncate font-mono text-sm text-soft">{short}</span>
    </button>
  );
}
