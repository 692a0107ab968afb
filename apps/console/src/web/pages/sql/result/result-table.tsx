import { type ReactNode, useMemo, useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useTime } from '../../../layout/use-time.ts';
import {
  cellText,
  headOf,
  isNumber,
  isTime,
  type QueryAnswer,
  shownText,
  type TimesOfPage,
} from '../../../results/read-result.ts';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
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
  const { zone } = useTime();
  const times = useMemo(() => ({ zone, formats }), [zone, formats]);
  const [opened, setOpened] = useState<NumberedRow | null>(null);
  const rows = useMemo(() => answer.rows.map((cells, index) => ({ number: index + 1, cells })), [answer]);
  const widths = useMemo(() => widthsOf(answer, times), [answer, times]);
  const decimals = useMemo(
    () =>
      answer.columns.map((_, index) =>
        Math.max(0, ...rows.slice(0, measuredRows).map(({ cells }) => fraction(cells[index]).length)),
      ),
    [answer, rows],
  );
  const columns = answer.columns.map(
    (column, index): Column<NumberedRow> => ({
      title: headOf(column, zone),
      width: `minmax(${widths[index]}px, 1fr)`,
      isNumber: isNumber(column.type),
      render: ({ cells }) => {
        const value = cells[index] ?? null;
        if (value === null) return <span className="text-soft">NULL</span>;
        const text = shownText(value, column, times);
        return (
          <span
            className="foreign after:invisible after:content-[attr(data-pad)]"
            data-pad={isNumber(column.type) ? missingDigits(text, decimals[index] ?? 0) : ''}
          >
            {text.slice(0, mostCharacters)}
          </span>
        );
      },
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
        scrolls
        onOpen={setOpened}
      />
      <Dialog
        title={texts.row(formats.number(opened?.number ?? 0))}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        width={640}
      >
        <CodeBlock label={texts.result} isWrapped code={wholeRow(answer, opened, times)} />
      </Dialog>
    </>
  );
}

/** `.25` of 1.25. Empty for a whole number, and for one with an exponent. */
function fraction(value: unknown): string {
  return /^-?\d+(\.\d+)$/.exec(cellText(value))?.[1] ?? '';
}

/** With more digits, the point is not worth the room. */
const mostAligned = 7;

/** What aligns the point of a number with those above and below it: shown as empty space. */
function missingDigits(text: string, length: number): string {
  return length > mostAligned ? '' : '.'.padEnd(length, '0').slice(fraction(text).length, length);
}

function wholeRow({ columns }: QueryAnswer, row: NumberedRow | null, times: TimesOfPage): string {
  if (row === null) return '';
  const members = columns.map((column, index) => {
    const value = row.cells[index] ?? null;
    const isShown = value !== null && isTime(column.type);
    return [headOf(column, times.zone), isShown ? shownText(value, column, times) : value] as const;
  });
  return JSON.stringify(Object.fromEntries(members), null, 2);
}

/** Wide enough for the name and for the first rows, within bounds. */
function widthsOf({ columns, rows }: QueryAnswer, times: TimesOfPage): number[] {
  return columns.map((column, index) => {
    const lengths = rows.slice(0, measuredRows).map((row) => shownText(row[index], column, times).length);
    const most = Math.max(headOf(column, times.zone).length, 4, ...lengths);
    return 26 + Math.min(most, 42) * 7.5;
  });
}
