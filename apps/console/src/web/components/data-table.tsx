import type { UseQueryResult } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useKeys } from '../keyboard/use-keys.ts';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { Panel } from './panel.tsx';
import { PageState } from './states/page-state.tsx';
import { useSize } from './use-size.ts';

export interface Column<R> {
  /** Empty for a column of buttons, which stays in sight while a narrow table scrolls. */
  readonly title: string;
  /** A CSS grid track: `120px`, `minmax(160px, 2fr)`. The default is `minmax(80px, 1fr)`. */
  readonly width?: string;
  /** Numbers and buttons are at the end of their column, and so is its title. */
  readonly isNumber?: boolean;
  /** Left out of a table that is as narrow as a phone. */
  readonly isDetail?: boolean;
  /** `code`: an id or a name of a program. */
  readonly look?: keyof typeof looks;
  readonly render: (row: R) => ReactNode;
}

const looks = {
  code: 'font-mono text-sm',
  soft: 'text-soft',
  softCode: 'font-mono text-sm text-soft',
} as const;

interface DataTableProps<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  /** For a click, and for Enter after `j` and `k`. */
  readonly onOpen?: (row: R) => void;
  readonly openKey?: string | null;
  /** The most, in pixels or as a CSS length: the table scrolls within it. The default is the height of the window. */
  readonly height?: number | string;
  /** In pixels, when the columns are wider than the page: the rows are then as wide too. */
  readonly minWidth?: number;
  /** Also on a phone. Other tables whose columns do not fit there show each row as a list of titles and values. */
  readonly scrolls?: boolean;
  /** Loads more rows. Undefined when all are there. */
  readonly more?: (() => void) | undefined;
}

const rowHeight = 28;
/** In pixels: narrower than one of two columns of a small screen. */
const narrow = 480;
/** Below the header and the title of a page, above its lower edge. */
const mostHeight = 'max(480px, calc(100dvh - 120px))';

/** A table of any length: only the rows on the screen exist in the document. */
export function DataTable<R>(props: DataTableProps<R>): ReactNode {
  const { label, rows, keyOf, onOpen, openKey, height, minWidth, more } = props;
  const texts = useTexts(commonTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const available = useSize(scroller)?.width ?? narrow;
  const isNarrow = available < narrow;
  const columns = props.columns.filter(({ isDetail = false }) => !(isNarrow && isDetail));
  const isStacked = isNarrow && props.scrolls !== true && leastWidth(columns) > available;
  // By its key: rows arrive above it while it is chosen.
  const [chosen, setChosen] = useState<string | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight * (isStacked ? columns.length : 1),
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights of the other shape are wrong
  useLayoutEffect(() => virtual.measure(), [isStacked]);
  const positionOfChosen = () => rows.findIndex((row) => keyOf(row) === chosen);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, rows.length - 1));
    const row = rows[next];
    if (row === undefined) return;
    setChosen(keyOf(row));
    virtual.scrollToIndex(next);
  };
  const open = (row: R | undefined) => row !== undefined && onOpen?.(row);
  useKeys(
    onOpen === undefined
      ? {}
      : {
          j: () => move(positionOfChosen() + 1),
          k: () => move(positionOfChosen() - 1),
          ...(chosen !== null && { ['Enter']: () => open(rows[positionOfChosen()]) }),
        },
    () => isCurrent(scroller.current),
  );
  const width = minWidth === undefined || isStacked ? {} : { minWidth };
  const tracks = { gridTemplateColumns: columns.map(({ width }) => width ?? 'minmax(80px, 1fr)').join(' ') };
  const shown = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length}
      {...(onOpen !== undefined && { 'data-list': '' })}
      className="relative overflow-auto rounded-lg"
      style={{ maxHeight: (isStacked ? null : height) ?? mostHeight }}
    >
      <Titles columns={columns} isStacked={isStacked} style={{ ...tracks, ...width }} />
      <div
        role="rowgroup"
        className="min-w-fit"
        // The rows above are room, and the others follow each other: new rows on top move all of them at once.
        style={{ height: virtual.getTotalSize(), paddingTop: shown[0]?.start ?? 0, ...width }}
      >
        {shown.map(({ index }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const key = keyOf(row);
          return (
            <div
              key={key}
              ref={isStacked ? virtual.measureElement : undefined}
              data-index={index}
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 1}
              aria-selected={key === chosen || key === openKey}
              className={`grid ${isStacked ? 'gap-y-1 py-2' : 'h-7'} items-center border-line/60 aria-selected:bg-accent/12 aria-selected:shadow-[inset_2px_0_var(--accent)] ${index < rows.length - 1 ? 'border-b' : ''} ${onOpen !== undefined ? 'cursor-pointer hover:bg-raised' : ''}`}
              style={isStacked ? {} : tracks}
              onClick={() => {
                setChosen(key);
                open(row);
              }}
            >
              {columns.map((column, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position; titles repeat
                <Cell key={at} column={column} row={row} isStacked={isStacked} />
              ))}
            </div>
          );
        })}
      </div>
      {more !== undefined && (
        <div role="row" tabIndex={-1} className="flex justify-center p-2">
          <div role="cell">
            <Button look="quiet" onPress={more}>
              {texts.loadMore}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

/** In pixels, by the first number of each track. */
function leastWidth(columns: readonly Pick<Column<never>, 'width'>[]): number {
  return columns.reduce((sum, { width = '80px' }) => sum + Number(/\d+/.exec(width)?.[0]), 0);
}

interface TitlesProps<R> {
  readonly columns: readonly Column<R>[];
  readonly isStacked: boolean;
  readonly style: CSSProperties;
}

function Titles<R>({ columns, isStacked, style }: TitlesProps<R>): ReactNode {
  const texts = useTexts(commonTexts);
  const shape = 'sticky top-0 z-10 grid h-7 min-w-fit items-center border-b bg-panel text-sm text-soft';
  return (
    <div role="row" tabIndex={-1} className={isStacked ? 'sr-only' : shape} style={style}>
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position; titles repeat
        <div key={at} role="columnheader" tabIndex={-1} className={shapeOf(column)}>
          {column.title === '' ? <span className="sr-only">{texts.actions}</span> : column.title}
        </div>
      ))}
    </div>
  );
}

interface CellProps<R> {
  readonly column: Column<R>;
  readonly row: R;
  readonly isStacked: boolean;
}

function Cell<R>({ column, row, isStacked }: CellProps<R>): ReactNode {
  const { look, render } = column;
  const content = look === undefined ? render(row) : <span className={looks[look]}>{render(row)}</span>;
  if (!isStacked)
    return (
      <div role="cell" className={`foreign ${shapeOf(column)}`}>
        {content}
      </div>
    );
  return (
    <div role="cell" className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2 px-3">
      <span aria-hidden="true" className="text-soft">
        {column.title}
      </span>
      <div className={`foreign min-w-0 ${column.title === '' ? 'text-right' : ''}`}>{content}</div>
    </div>
  );
}

function shapeOf({ title, isNumber = false }: Pick<Column<never>, 'title' | 'isNumber'>): string {
  const place = title === '' ? 'sticky right-0 max-h-[27px] bg-panel' : '';
  return `min-w-0 truncate px-3 ${isNumber ? 'text-right' : ''} ${place}`;
}

/** Of several lists on a page, the keys move in the one with the focus, or else in the first. */
function isCurrent(list: Element | null): boolean {
  const lists = [...document.querySelectorAll('[data-list]')];
  const current = lists.find((each) => each.contains(document.activeElement)) ?? lists[0];
  return list !== null && list === current;
}

interface ListTableProps<R> extends Omit<DataTableProps<R>, 'rows' | 'more'> {
  /** Of `useList`, or a call that answers with all rows. */
  readonly list: {
    readonly query: UseQueryResult<readonly R[] | { readonly results: readonly R[] }>;
    readonly more?: (() => void) | undefined;
  };
  readonly empty?: ReactNode;
}

export function ListTable<R>({ list, empty, ...table }: ListTableProps<R>): ReactNode {
  return (
    <PageState query={list.query} empty={empty}>
      {(data) => <DataTable {...table} rows={'results' in data ? data.results : data} more={list.more} />}
    </PageState>
  );
}

interface ListPanelProps<R> extends Omit<ListTableProps<R>, 'label'> {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly help?: string;
  /** Between the title and the table: filters, a problem. */
  readonly children?: ReactNode;
}

/** A list with a panel of its own, as most parts of the settings are. */
export function ListPanel<R>({ title, actions, help, children, ...table }: ListPanelProps<R>): ReactNode {
  return (
    <Panel title={title} isFlush actions={actions}>
      {help !== undefined && <p className="max-w-4xl px-3 pb-2 text-soft">{help}</p>}
      {children}
      <ListTable {...table} label={title} />
    </Panel>
  );
}
