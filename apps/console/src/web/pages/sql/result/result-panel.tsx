import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { callForAnswer } from '../../../api/call.ts';
import { useProjectId } from '../../../api/use-call.ts';
import { Button } from '../../../components/button.tsx';
import { MenuButton } from '../../../components/dialogs/menu-button.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { Panel } from '../../../components/panel.tsx';
import { EmptyState, Skeleton } from '../../../components/states/page-state.tsx';
import { download } from '../../../export/download.ts';
import { useTime } from '../../../layout/use-time.ts';
import { chartOf } from '../../../results/chart-of.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { SaveToDashboard } from '../../dashboards/save-to-dashboard.tsx';
import { sqlTexts } from '../sql-texts.ts';
import { type ExportFormat, exportFormats, writeResult } from './export-result.ts';
import { ResultTable } from './result-table.tsx';
import type { Run } from './use-runs.ts';

// The charts are most of the weight beside the editor, and not every result has one.
const ResultChart = lazy(async () => ({ default: (await import('./result-chart.tsx')).ResultChart }));

interface ResultPanelProps {
  readonly run: Extract<Run, { kind: 'done' }>;
  readonly name: string;
}

/** An answer with what it cost: as a chart where its shape allows one, and as a table. */
export function ResultPanel({ run, name }: ResultPanelProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  const [isTable, setTable] = useState(false);
  const { answer } = run;
  const { zone } = useTime();
  const chart = useMemo(() => chartOf(answer, { zone, formats, without: '–' }), [answer, zone, formats]);
  if (answer.rows.length === 0)
    return (
      <Panel title={texts.result} actions={<Cost run={run} />}>
        <EmptyState icon="table" title={texts.noRows} text={texts.noRowsText} />
      </Panel>
    );
  const isChart = chart !== 'table' && !isTable;
  return (
    <Panel
      title={texts.result}
      isFlush={!isChart}
      actions={
        <>
          <Cost run={run} />
          {chart !== 'table' && (
            <fieldset className="flex">
              <legend className="sr-only">{texts.shownAs}</legend>
              <ShownAs label={texts.chart} isOn={!isTable} onPress={() => setTable(false)} />
              <ShownAs label={texts.table} isOn={isTable} onPress={() => setTable(true)} />
            </fieldset>
          )}
          <span className="mx-1">
            <SaveToDashboard asked={tileOf(run)} title={name} chart={isChart ? chart : 'table'} />
          </span>
          <ExportMenu run={run} name={name} />
        </>
      }
    >
      {answer.isCut && <p className="px-3 pb-2">{texts.isCut(formats.number(answer.rows.length))}</p>}
      {isChart ? (
        <Suspense fallback={<Skeleton lines={6} />}>
          <ResultChart chart={chart} answer={answer} />
        </Suspense>
      ) : (
        <ResultTable answer={answer} />
      )}
    </Panel>
  );
}

/** Its times are those of the dashboard. Null with a list or NULL as a parameter, which a tile cannot keep. */
function tileOf({ sql, parameters }: ResultPanelProps['run']) {
  const { from: _from, to: _to, ...others } = parameters;
  const kept = Object.entries(others).filter((each): each is [string, string] => typeof each[1] === 'string');
  if (kept.length < Object.keys(others).length) return null;
  return { query: { sql, ...(kept.length > 0 && { parameters: Object.fromEntries(kept) }) } };
}

interface ShownAsProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
}

function ShownAs({ label, isOn, onPress }: ShownAsProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className="h-7 border border-edge px-2.5 text-soft first-of-type:rounded-l-md last-of-type:-ml-px last-of-type:rounded-r-md hover:bg-raised aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink"
      onClick={onPress}
    >
      {label}
    </button>
  );
}

function Cost({ run: { answer, ms } }: Pick<ResultPanelProps, 'run'>): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  const { cost, rows } = answer;
  const facts = [
    texts.rowCount(formats.number(rows.length), formats.duration(ms / 1000)),
    cost !== null && cost.rows > 0 && texts.costRows(formats.compact(cost.rows)),
    cost !== null && texts.costMs(formats.duration(cost.ms / 1000)),
  ];
  return (
    <span role="status" title={texts.costHelp} className="mr-2 text-sm text-soft">
      {facts.filter((each) => each !== false).join(' · ')}
    </span>
  );
}

function ExportMenu({ run, name }: ResultPanelProps): ReactNode {
  const texts = useTexts(sqlTexts);
  const projectId = useProjectId();
  const saveParquet = async () => {
    const body = { sql: run.sql, parameters: run.parameters, format: 'Parquet' } as const;
    const answer = await callForAnswer('POST /v1/query', { body, projectId });
    download(`${name}.parquet`, await answer.blob(), '');
  };
  const entries = [
    ...(Object.keys(exportFormats) as ExportFormat[]).map((format) => ({
      label: exportFormats[format].label,
      onSelect: () =>
        download(`${name}.${format}`, writeResult(run.answer, format), exportFormats[format].type),
    })),
    {
      label: texts.parquet,
      onSelect: () => void saveParquet().catch(() => showToast(texts.exportFailed, 'bad')),
    },
  ];
  return (
    <MenuButton label={texts.export} entries={entries}>
      <Button look="quiet" icon="download">
        {texts.export}
      </Button>
    </MenuButton>
  );
}
