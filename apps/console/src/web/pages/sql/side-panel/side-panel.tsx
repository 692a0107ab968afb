import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PageState } from '../../../components/states/page-state.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';
import type { QuerySchema } from '../statement/completion.ts';
import type { HistoryEntry } from '../workspace.ts';
import { HistoryList, SavedList, type SavedQuery } from './query-lists.tsx';
import { SchemaBrowser } from './schema-browser.tsx';

interface SidePanelProps {
  readonly schema: UseQueryResult<QuerySchema>;
  readonly history: readonly HistoryEntry[];
  readonly onInsert: (text: string) => void;
  readonly onOpenSaved: (saved: SavedQuery) => void;
  readonly onOpenEntry: (entry: HistoryEntry) => void;
  readonly onClearHistory: () => void;
}

type Part = 'tables' | 'saved' | 'history';

/** What a statement can begin with: tables, saved queries, and those that ran before. */
export function SidePanel(props: SidePanelProps): ReactNode {
  const { schema, history, onInsert, onOpenSaved, onOpenEntry, onClearHistory } = props;
  const texts = useTexts(sqlTexts);
  const [part, setPart] = useState<Part>('tables');
  const parts: readonly (readonly [Part, string])[] = [
    ['tables', texts.tables],
    ['saved', texts.savedQueries],
    ['history', texts.history],
  ];
  return (
    <section
      aria-label={texts.browser}
      className="flex max-h-80 min-h-0 flex-col overflow-hidden rounded-lg border bg-panel lg:sticky lg:top-15 lg:h-[calc(100dvh-116px)] lg:max-h-none"
    >
      <div className="flex h-9 shrink-0 items-stretch gap-3 border-b bg-ground px-3">
        {parts.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={part === name}
            className="-mb-px border-b-2 border-transparent text-soft -outline-offset-2 hover:text-ink aria-pressed:border-accent aria-pressed:font-medium aria-pressed:text-ink"
            onClick={() => setPart(name)}
          >
            {label}
          </button>
        ))}
      </div>
      {part === 'tables' && (
        <PageState query={schema}>
          {({ tables }) => <SchemaBrowser tables={tables} onInsert={onInsert} />}
        </PageState>
      )}
      {part === 'saved' && <SavedList onOpen={onOpenSaved} />}
      {part === 'history' && <HistoryList history={history} onOpen={onOpenEntry} onClear={onClearHistory} />}
    </section>
  );
}
