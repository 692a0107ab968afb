import { type ReactNode, useMemo } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { type Cell, type Rows, readTime } from './read-rows.ts';

interface TileTableProps {
  readonly label: string;
  readonly rows: Rows;
  readonly height: number;
}

interface Row {
  readonly id: number;
  readonly cells: readonly Cell[];
}

export function TileTable({ label, rows, height }: TileTableProps): ReactNode {
  const formats = useFormats();
  const columns = useMemo<Column<Row>[]>(() => {
    const write = (cell: Cell | undefined, kind: string) => {
      if (cell === null || cell === undefined) return '–';
      if (kind === 'time') return formats.time(readTime(String(cell)));
      return typeof cell === 'number' ? formats.number(cell) : cell;
    };
    // Numbers alone stay together: across a wide tile, nobody could follow a row.
    const most = rows.columns.every(({ kind }) => kind === 'number') ? '160px' : '1fr';
    return rows.columns.map(({ name, kind }, index) => ({
      id: String(index),
      title: name,
      isNumber: kind === 'number',
      width: kind === 'number' ? `minmax(84px, ${most})` : 'minmax(140px, 2fr)',
      render: ({ cells }) => <span className="foreign">{write(cells[index], kind)}</span>,
    }));
  }, [rows, formats]);
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
