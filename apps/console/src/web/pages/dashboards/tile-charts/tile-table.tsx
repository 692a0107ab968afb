import { type ReactNode, useMemo } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { useFormats, useTime } from '../../../layout/use-time.ts';
import {
  cellOf,
  headOf,
  isNumber,
  isTime,
  type ResultColumn,
  type Shape,
  shownText,
} from '../../../results/read-result.ts';

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
    const write = (value: unknown, column: ResultColumn) => {
      const cell = cellOf(value ?? null, column);
      if (cell === null) return '–';
      if (isTime(column.type)) return shownText(cell, column, { zone, formats });
      return typeof cell === 'number' ? formats.number(cell) : String(cell);
    };
    // Numbers alone stay together: across a wide tile, nobody could follow a row.
    const most = rows.columns.every(({ type }) => isNumber(type)) ? '160px' : '1fr';
    return rows.columns.map((column, index) => ({
      id: String(index),
      title: headOf(column, zone),
      isNumber: isNumber(column.type),
      width: isNumber(column.type) ? `minmax(84px, ${most})` : 'minmax(140px, 2fr)',
      render: ({ cells }) => <span className="foreign">{write(cells[index], column)}</span>,
    }));
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
      />
    </div>
  );
}
