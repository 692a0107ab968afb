import type { EditorView } from '@codemirror/view';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { Page } from '../../layout/page.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { faultIn } from './result/fault-advice.ts';
import { RunResult } from './result/run-result.tsx';
import { type Run, useRuns } from './result/use-runs.ts';
import { SidePanel } from './side-panel/side-panel.tsx';
import { sqlTexts } from './sql-texts.ts';
import { insertText, showPlace } from './statement/create-editor.ts';
import { locateFault } from './statement/locate-fault.ts';
import { parametersOf, parameterValues } from './statement/parameters.ts';
import { StatementPanel } from './statement/statement-panel.tsx';
import { TabStrip, tabName } from './statement/tab-strip.tsx';
import {
  changeTab,
  changeWorkspace,
  closeTab,
  openTab,
  remember,
  type SqlTab,
  useWorkspace,
} from './workspace.ts';

/** Statements in tabs, their answers, and what a statement can name. */
export function SqlPage(): ReactNode {
  const texts = useTexts(sqlTexts);
  const { data: session } = useQuery(sessionQuery);
  const projectId = useProjectId();
  // A person does not see the statements of another who used this browser before.
  const place = `${projectId}.${session?.accountId ?? ''}`;
  return <Page title={texts.title}>{session !== undefined && <Workbench key={place} place={place} />}</Page>;
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
