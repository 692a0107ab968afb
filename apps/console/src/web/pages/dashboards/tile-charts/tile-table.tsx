import { type ReactNode, useMemo } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { useTime } from '../../../layout/use-time.ts';
import {
  cellOf,
  decimalsOf,
  headOf,
  isNumber,
  isTime,
  type ResultColumn,
  type Shape,
  shownText,
} from '../../../results/read-result.ts';
import { useFormats } from '../../../texts/use-texts.ts';

interface TileTableProps {
  readonly label: string;
  readonly rows: Shape;
  readonly height: number;
}

interface Row {
  readonly id: number;
  readonly cells: readonly unknown[];
}

export function TileTable({ label, rows, height }: TileTableProps): ReactNode {
  const formats = useFormats();
  const { zone } = useTime();
  const columns = useMemo<Column<Row>[]>(() => {
    const write = (value: unknown, column: ResultColumn, decimals: number) => {
      const cell = cellOf(value ?? null, column);
      if (cell === null) return '–';
      if (isTime(column.type)) return shownText(cell, column, { zone, formats });
      return typeof cell === 'number' ? formats.decimals(cell, decimals) : String(cell);
    };
    return rows.columns.map((column, index) => {
      const decimals = decimalsOf(rows.rows.map((cells) => cells[index]));
      const title = headOf(column, zone);
      const texts = rows.rows.slice(0, 100).map((cells) => write(cells[index], column, decimals));
      const least = Math.min(140, 24 + 7 * Math.max(...[title, ...texts].map(({ length }) => length)));
      return {
        title,
        // The first column names the row.
        isNumber: index > 0 && isNumber(column.type),
        width: `minmax(${least}px, ${isNumber(column.type) ? 1 : 2}fr)`,
        render: ({ cells }) => <span className="foreign">{write(cells[index], column, decimals)}</span>,
      };
    });
  }, [rows, formats, zone]);
  const listed = useMemo(() => rows.rows.map((cells, id) => ({ id, cells })), [rows]);
  return (
    <div className="-mx-3">
      <DataTable
        label={label}
        columns={columns}
        rows={listed}
        keyOf={({ id }) => String(id)}
        height={Math.max(56, height)}
        scrolls
      />
    </div>
  );
}
