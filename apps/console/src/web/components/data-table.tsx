import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import { useKeys } from '../keyboard/use-keys.ts';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';

export interface Column<R> {
  readonly id: string;
  /** Empty for a column of buttons. */
  readonly title: string;
  /** A CSS grid track: `120px`, `minmax(160px, 2fr)`. The default is `minmax(80px, 1fr)`. */
  readonly width?: string;
  /** Numbers and buttons are at the end of their column, and so is its title. */
  readonly isNumber?: boolean;
  readonly render: (row: R) => ReactNode;
}

interface DataTableProps<R> {
  /** For screen readers. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  /** For a click, and for Enter after `j` and `k`. */
  readonly onOpen?: (row: R) => void;
  readonly openKey?: string | null;
  /** In pixels. The table scrolls within it; without it, it grows up to 640. */
  readonly height?: number;
  /** In pixels, when the columns are wider than the page: the rows are then as wide too. */
  readonly minWidth?: number;
  readonly hasMore?: boolean;
  readonly onMore?: () => void;
}

const rowHeight = 28;
const mostHeight = 640;

/** A table of any length: only the rows on the screen exist in the document. */
export function DataTable<R>(props: DataTableProps<R>): ReactNode {
  const { label, columns, rows, keyOf, onOpen, openKey, height, minWidth, hasMore = false, onMore } = props;
  const texts = useTexts(commonTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const [position, setPosition] = useState(-1);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, rows.length - 1));
    setPosition(next);
    virtual.scrollToIndex(next);
  };
  const open = (row: R | undefined) => row !== undefined && onOpen?.(row);
  useKeys(
    onOpen === undefined
      ? {}
      : {
          j: () => move(position + 1),
          k: () => move(position - 1),
          ['Enter']: () => open(rows[position]),
        },
  );
  const width = minWidth === undefined ? {} : { minWidth };
  const tracks = { gridTemplateColumns: columns.map(({ width }) => width ?? 'minmax(80px, 1fr)').join(' ') };
  const size = height === undefined ? { maxHeight: mostHeight } : { height };
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length}
      className="relative overflow-auto"
      style={size}
    >
      <div
        role="row"
        tabIndex={-1}
        className="sticky top-0 z-10 grid h-7 min-w-fit items-center border-b bg-panel text-sm text-soft"
        style={{ ...tracks, ...width }}
      >
        {columns.map(({ id, title, isNumber }) => (
          <div
            key={id}
            role="columnheader"
            tabIndex={-1}
            className={`truncate px-3 ${isNumber ? 'text-right' : ''}`}
          >
            {title === '' ? <span className="sr-only">{texts.actions}</span> : title}
          </div>
        ))}
      </div>
      <div
        role="rowgroup"
        className="relative min-w-fit"
        style={{ height: virtual.getTotalSize(), ...width }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const key = keyOf(row);
          return (
            <div
              key={key}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 1}
              aria-selected={index === position || key === openKey}
              className={`absolute inset-x-0 top-0 grid h-7 items-center border-b border-line/60 aria-selected:bg-raised ${onOpen === undefined ? '' : 'cursor-pointer hover:bg-raised'}`}
              style={{ ...tracks, transform: `translateY(${start}px)` }}
              onClick={() => {
                setPosition(index);
                open(row);
              }}
            >
              {columns.map(({ id, isNumber, render }) => (
                <div key={id} role="cell" className={`min-w-0 truncate px-3 ${isNumber ? 'text-right' : ''}`}>
                  {render(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
      {hasMore && onMore !== undefined && (
        <div className="flex justify-center p-2">
          <Button look="quiet" onPress={onMore}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  );
}
