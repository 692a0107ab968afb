import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { useSize } from '../../../components/use-size.ts';
import { Icon } from '../../../look/icon.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import type { Tile } from '../use-dashboards.ts';
import {
  dragTile,
  fillHeight,
  gap,
  gridColumns,
  type Place,
  readingOrder,
  resizeTile,
  rowHeight,
  type Step,
  stepTile,
} from './place-tiles.ts';
import { TileView } from './tile-view.tsx';

interface TileGridProps {
  readonly tiles: readonly Tile[];
  readonly places: readonly Place[];
  /** Undefined while the dashboard is only read. */
  readonly edit?: GridEdit | undefined;
  /** Whether the tiles grow until they fill the screen. */
  readonly isFilling?: boolean;
}

export interface GridEdit {
  readonly onPlaces: (places: readonly Place[]) => void;
  readonly onEdit: (index: number) => void;
  readonly onRemove: (index: number) => void;
}

const steps: Readonly<Record<string, Step>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Tiles on twelve columns; below each other on a phone and on paper. */
export function TileGrid({ tiles, places, edit, isFilling = false }: TileGridProps): ReactNode {
  const grid = useRef<HTMLDivElement>(null);
  const rowPx = useRowHeight(grid, isFilling ? places : null);
  const [said, setSaid] = useState('');
  // The order on the screen is that of the Tab key. It is kept while a tile moves: an element that changes its place in the
  // document loses the pointer and the focus.
  const order = edit === undefined ? readingOrder(places) : places.keys().toArray();
  return (
    <div
      ref={grid}
      style={{ '--row-height': `${rowPx}px` } as CSSProperties}
      className="grid grid-cols-1 gap-3 md:auto-rows-[var(--row-height)] md:grid-cols-12 print:block"
    >
      {order.map((index) => {
        const tile = tiles[index];
        const place = places[index];
        if (tile === undefined || place === undefined) return null;
        return (
          <article
            key={index}
            aria-label={tile.title}
            style={styleOf(place, rowPx)}
            className={`relative flex h-[var(--tile-height)] min-w-0 break-inside-avoid flex-col rounded-lg border bg-panel md:[grid-column:var(--tile-column)] md:[grid-row:var(--tile-row)] print:mb-3 ${edit === undefined ? '' : 'border-edge'}`}
          >
            {edit === undefined ? (
              <TileView tile={tile} index={index} />
            ) : (
              <EditedTile
                tile={tile}
                index={index}
                place={place}
                places={places}
                edit={edit}
                grid={grid}
                onSay={setSaid}
              />
            )}
          </article>
        );
      })}
      <div aria-live="polite" className="sr-only">
        {said}
      </div>
    </div>
  );
}

function styleOf({ x, y, width, height }: Place, rowPx: number): CSSProperties {
  return {
    '--tile-column': `${x + 1} / span ${width}`,
    '--tile-row': `${y + 1} / span ${height}`,
    '--tile-height': `${height * (rowPx + gap) - gap}px`,
  } as CSSProperties;
}

interface EditedTileProps {
  readonly tile: Tile;
  readonly index: number;
  readonly place: Place;
  readonly places: readonly Place[];
  readonly edit: GridEdit;
  readonly grid: React.RefObject<HTMLDivElement | null>;
  readonly onSay: (text: string) => void;
}

function EditedTile({ tile, index, place, places, edit, grid, onSay }: EditedTileProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const show = (next: readonly Place[]) => {
    edit.onPlaces(next);
    const { x, y, width, height } = next[index] ?? place;
    onSay(texts.placed(tile.title, `${x + 1}, ${y + 1}`, `${width} × ${height}`));
  };
  const onKeys = (isResize: boolean) => (event: React.KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    show(
      isResize || event.shiftKey
        ? resizeTile(places, index, grown(place, step))
        : stepTile(places, index, step),
    );
  };
  /** Follows the pointer until it is released. `change` gets the way in columns and rows. */
  const drag = (change: (columns: number, rows: number) => Place[]) => (event: React.PointerEvent) => {
    const target = event.currentTarget;
    if (event.button !== 0 || isButtonBetween(event.target, target)) return;
    event.preventDefault();
    const columnWidth = ((grid.current?.clientWidth ?? 0) + gap) / gridColumns;
    const { clientX, clientY, pointerId } = event;
    target.setPointerCapture(pointerId);
    const stop = new AbortController();
    const { signal } = stop;
    const onMove = (moved: Event) => {
      if (!(moved instanceof PointerEvent)) return;
      edit.onPlaces(
        change((moved.clientX - clientX) / columnWidth, (moved.clientY - clientY) / (rowHeight + gap)),
      );
    };
    target.addEventListener('pointermove', onMove, { signal });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
      target.addEventListener(end, () => stop.abort(), { signal });
  };
  return (
    <>
      <TileView
        tile={tile}
        index={index}
        onDragStart={drag((columns, rows) =>
          dragTile(places, index, { x: place.x + columns, y: place.y + rows }),
        )}
        actions={
          <div className="flex items-center">
            <button
              type="button"
              aria-label={texts.move(tile.title)}
              className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
              data-drag
              onKeyDown={onKeys(false)}
            >
              <Icon name="grip-vertical" className="text-soft" />
            </button>
            <IconButton
              icon="pencil"
              label={texts.editNamed(tile.title)}
              onPress={() => edit.onEdit(index)}
            />
            <IconButton
              icon="trash"
              label={texts.removeNamed(tile.title)}
              onPress={() => edit.onRemove(index)}
            />
          </div>
        }
      />
      <button
        type="button"
        aria-label={texts.resize(tile.title)}
        className="absolute right-0 bottom-0 size-6 cursor-nwse-resize touch-none rounded-md"
        onKeyDown={onKeys(true)}
        onPointerDown={drag((columns, rows) =>
          resizeTile(places, index, { width: place.width + columns, height: place.height + rows }),
        )}
      >
        <span
          aria-hidden="true"
          className="absolute right-1.5 bottom-1.5 size-2.5 border-r-2 border-b-2 border-edge"
        />
      </button>
    </>
  );
}

function grown({ width, height }: Place, step: Step): { readonly width: number; readonly height: number } {
  const by = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;
  return { width: width + by[step][0], height: height + by[step][1] };
}

/** Whether the pointer is on a button of the title, which is not its handle. */
function isButtonBetween(target: EventTarget, title: Element): boolean {
  const button = target instanceof Element ? target.closest('button') : null;
  return button !== null && button !== title && !button.hasAttribute('data-drag');
}

/** Below it, tiles stand below each other, and the page scrolls. */
const leastWidth = 768;
const marginPx = 16;

/** In pixels: of rows that fill the screen with these places, or the usual height without them. */
function useRowHeight(grid: RefObject<HTMLElement | null>, filling: readonly Place[] | null): number {
  const [rowPx, setRowPx] = useState(rowHeight);
  // What surrounds the page goes a moment later, and changes the width of the grid.
  const width = useSize(grid)?.width;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the top of the grid moves when its width changes
  useLayoutEffect(() => {
    const measure = () => {
      const top = (grid.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      const isWide = window.innerWidth >= leastWidth;
      const availablePx = window.innerHeight - top - marginPx;
      setRowPx(filling !== null && isWide ? fillHeight(filling, availablePx) : rowHeight);
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [grid, filling, width]);
  return rowPx;
}
