import { type ReactNode, useMemo, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { cellText, isNumber, type QueryAnswer } from '../../../results/read-result.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { sqlTexts } from '../sql-texts.ts';

interface NumberedRow {
  readonly number: number;
  readonly cells: readonly unknown[];
}

/** More of a text is shown when its row is opened. */
const mostCharacters = 300;
const measuredRows = 50;

/** The rows of a result. Opening a row shows it whole. */
export function ResultTable({ answer }: { readonly answer: QueryAnswer }): ReactNode {
  const texts = useTexts(sqlTexts);
  const formats = useFormats();
  const [opened, setOpened] = useState<NumberedRow | null>(null);
  const rows = useMemo(() => answer.rows.map((cells, index) => ({ number: index + 1, cells })), [answer]);
  const widths = useMemo(() => widthsOf(answer), [answer]);
  const columns = answer.columns.map(
    ({ name, type }, index): Column<NumberedRow> => ({
      id: `${index} ${name}`,
      title: name,
      width: `minmax(${widths[index]}px, 1fr)`,
      isNumber: isNumber(type),
      render: ({ cells }) => <Cell value={cells[index]} />,
    }),
  );
  return (
    <>
      <DataTable
        label={texts.result}
        columns={columns}
        rows={rows}
        keyOf={({ number }) => String(number)}
        minWidth={widths.reduce((sum, each) => sum + each, 0)}
        onOpen={setOpened}
      />
      <Dialog
        title={texts.row(formats.number(opened?.number ?? 0))}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        width={640}
      >
        <CodeBlock label={texts.result} isWrapped code={wholeRow(answer, opened)} />
      </Dialog>
    </>
  );
}

function Cell({ value }: { readonly value: unknown }): ReactNode {
  if (value === null) return <span className="text-soft">NULL</span>;
  return <span className="foreign">{cellText(value).slice(0, mostCharacters)}</span>;
}

function wholeRow({ columns }: QueryAnswer, row: NumberedRow | null): string {
  if (row === null) return '';
  const members = columns.map(({ name }, index) => [name, row.cells[index] ?? null] as const);
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

/** Wide enough for the name and for the first rows, within bounds. */
function widthsOf({ columns, rows }: QueryAnswer): number[] {
  return columns.map(({ name }, index) => {
    const lengths = rows.slice(0, measuredRows).map((row) => cellText(row[index]).length);
    const most = Math.max(name.length, 4, ...lengths);
    return 26 + Math.min(most, 42) * 7.5;
  });
}
