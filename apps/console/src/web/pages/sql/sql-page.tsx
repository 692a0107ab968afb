import type { EditorView } from '@codemirror/view';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { useCall, useProjectId } from '../../api/use-call.ts';
import { IconButton } from '../../components/button.tsx';
import { PageState } from '../../components/states/page-state.tsx';
import { Page } from '../../layout/page.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { faultIn } from './result/fault-advice.ts';
import { RunResult } from './result/run-result.tsx';
import { type Run, useRuns } from './result/use-runs.ts';
import { HistoryList, SavedList, type SavedQuery } from './side-panel/query-lists.tsx';
import { SchemaBrowser } from './side-panel/schema-browser.tsx';
import { sqlTexts } from './sql-texts.ts';
import type { QuerySchema } from './statement/completion.ts';
import { insertText, showPlace } from './statement/create-editor.ts';
import { locateFault } from './statement/locate-fault.ts';
import { parametersOf, parameterValues } from './statement/parameters.ts';
import { StatementPanel } from './statement/statement-panel.tsx';
import {
  changeTab,
  changeWorkspace,
  closeTab,
  type HistoryEntry,
  openTab,
  remember,
  type SqlTab,
  useWorkspace,
} from './workspace.ts';

/** Statements in tabs, their answers, and what a statement can name. */
export function SqlPage(): ReactNode {
  const { data: session } = useQuery(sessionQuery);
  const projectId = useProjectId();
  // A person does not see the statements of another who used this browser before.
  const place = `${projectId}.${session?.accountId ?? ''}`;
  return <Page>{session !== undefined && <Workbench key={place} place={place} />}</Page>;
}

function Workbench({ place }: { readonly place: string }): ReactNode {
  const texts = useTexts(sqlTexts);
  const { resolve } = useTime();
  const { tabs, history } = useWorkspace(place);
  const { open, openNew, tab } = useOpenTab(place, tabs);
  const schema = useCall('GET /v1/query/schema');
  const view = useRef<EditorView | null>(null);
  const { runs, start, cancel } = useRuns((end) => remember(place, { ...end, atMs: nowMs() }));
  const run = tab && runs.get(tab.id);
  const fault = useMemo(() => faultOf(run), [run]);
  const runTab = () => {
    if (tab === undefined || tab.sql.trim() === '') return;
    const parameters = parameterValues(parametersOf(tab.sql), tab.typed, resolve());
    void start(tab.id, { sql: tab.sql, parameters });
  };
  const close = (closed: SqlTab) => {
    cancel(closed.id);
    const at = tabs.findIndex(({ id }) => id === closed.id);
    closeTab(place, closed, nowMs());
    if (closed.id === tab?.id) open((tabs[at + 1] ?? tabs[at - 1])?.id ?? '');
  };
  return (
    <div className="grid flex-1 grid-cols-1 items-start gap-3 lg:grid-cols-[260px_minmax(0,1fr)]">
      <SidePanel
        schema={schema}
        history={history}
        onInsert={(text) => view.current !== null && insertText(view.current, text)}
        onOpenSaved={({ id, name, version, content: { sql, parameters = {} } }) =>
          openNew({ name, sql, typed: parameters, saved: { id, version } })
        }
        onOpenEntry={({ sql }) => openNew({ sql })}
        onClearHistory={() => changeWorkspace(place, (before) => ({ ...before, history: [] }))}
      />
      <div className="flex min-w-0 flex-col gap-3">
        <section
          aria-label={texts.editor}
          className="flex min-w-0 flex-col overflow-hidden rounded-lg border bg-panel"
        >
          <TabStrip
            tabs={tabs}
            openId={tab?.id ?? ''}
            onOpen={open}
            onNew={() => openNew({})}
            onClose={close}
          />
          {tab !== undefined && (
            <StatementPanel
              tab={tab}
              schema={schema.data}
              fault={fault}
              viewOf={view}
              isRunning={run?.kind === 'running'}
              onChange={(changed) => changeTab(place, tab.id, changed)}
              onRun={runTab}
              onCancel={() => cancel(tab.id)}
            />
          )}
        </section>
        {tab !== undefined && (
          <RunResult
            run={run}
            name={tabName(tab, texts)}
            place={fault?.place ?? null}
            onShow={(shown) => view.current !== null && showPlace(view.current, shown)}
          />
        )}
      </div>
    </div>
  );
}

/** The open tab, which the address names. There is always one: the first visit gets an example. */
function useOpenTab(place: string, tabs: readonly SqlTab[]) {
  const texts = useTexts(sqlTexts);
  const { tab: tabId, sql } = useSearch({ from: '/p/$projectId/sql' });
  const navigate = useNavigate({ from: '/p/$projectId/sql' });
  const open = (id: string) =>
    void navigate({ search: (before) => ({ ...before, tab: id, sql: '' }), replace: true });
  const openNew = (made: Parameters<typeof openTab>[1]) => open(openTab(place, made));
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigate differs at every render
  useEffect(() => {
    if (sql !== '') openNew({ sql });
    else if (tabs.length === 0) openNew({ sql: exampleOf(texts.example) });
  }, [sql, tabs.length, place]);
  return { open, openNew, tab: tabs.find(({ id }) => id === tabId) ?? tabs[0] };
}

function exampleOf(title: string): string {
  return `-- ${title}
SELECT toStartOfHour(occurred) AS hour, type, count() AS events
FROM events
WHERE occurred >= {from:DateTime} AND occurred < {to:DateTime}
GROUP BY hour, type
ORDER BY hour, type`;
}

function faultOf(run: Run | undefined) {
  if (run?.kind !== 'failed') return null;
  const fault = faultIn(run.problem.data);
  const place = fault && locateFault(run.sql, fault);
  return place && { sql: run.sql, place };
}

interface TabStripProps {
  readonly tabs: readonly SqlTab[];
  readonly openId: string;
  readonly onOpen: (id: string) => void;
  readonly onNew: () => void;
  readonly onClose: (tab: SqlTab) => void;
}

function TabStrip({ tabs, openId, onOpen, onNew, onClose }: TabStripProps): ReactNode {
  const texts = useTexts(sqlTexts);
  return (
    <nav aria-label={texts.tabs} className="flex min-w-0 items-stretch border-b bg-ground">
      <ul className="flex min-w-0 items-stretch overflow-x-auto">
        {tabs.map((tab) => {
          const name = tabName(tab, texts);
          const isOpen = tab.id === openId;
          return (
            <li
              key={tab.id}
              className={`flex h-9 shrink-0 items-center border-r ${isOpen ? 'bg-panel shadow-[inset_0_2px_0_var(--accent)]' : ''}`}
            >
              <button
                type="button"
                aria-current={isOpen ? 'true' : undefined}
                className={`foreign h-full max-w-48 truncate pl-3 pr-1 -outline-offset-2 ${isOpen ? 'font-medium' : 'text-soft hover:text-ink'}`}
                onClick={() => onOpen(tab.id)}
              >
                {name}
              </button>
              <IconButton
                icon="x"
                label={texts.closeTab(name)}
                className="mr-1 h-6 w-6 text-soft"
                onPress={() => onClose(tab)}
              />
            </li>
          );
        })}
      </ul>
      <IconButton icon="plus" label={texts.newTab} className="m-1 shrink-0" onPress={onNew} />
    </nav>
  );
}

function tabName({ name, number }: SqlTab, texts: { tab(number: string): string }): string {
  return name === '' ? texts.tab(String(number)) : name;
}

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
function SidePanel(props: SidePanelProps): ReactNode {
  const { schema, history, onInsert, onOpenSaved, onOpenEntry, onClearHistory } = props;
  const texts = useTexts(sqlTexts);
  const [part, setPart] = useState<Part>('tables');
  const parts: readonly (readonly [Part, string])[] = [
    ['tables', texts.tables],
    ['saved', texts.saved],
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
