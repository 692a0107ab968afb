import { type RefObject, useLayoutEffect, useState } from 'react';
import { useSize } from '../../../components/use-size.ts';
import { fillHeight, type Place, rowHeight } from './place-tiles.ts';

interface Filling {
  readonly places: readonly Place[];
  readonly isFilling: boolean;
}

/** Below it, tiles stand below each other, and the page scrolls. */
const leastWidth = 768;
const marginPx = 16;

/** The height of the rows of a grid, in pixels: larger where the tiles leave a part of the screen empty. */
export function useFilledRows(grid: RefObject<HTMLElement | null>, { places, isFilling }: Filling): number {
  const [rowPx, setRowPx] = useState(rowHeight);
  // What surrounds the page goes a moment later, and changes the width of the grid.
  const width = useSize(grid)?.width;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the top of the grid moves when its width changes
  useLayoutEffect(() => {
    const measure = () => {
      const top = (grid.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
      const isWide = window.innerWidth >= leastWidth;
      setRowPx(isFilling && isWide ? fillHeight(places, window.innerHeight - top - marginPx) : rowHeight);
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [grid, places, isFilling, width]);
  return rowPx;
}
