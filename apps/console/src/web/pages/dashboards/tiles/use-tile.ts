import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { lookAgainAfter } from '../../../api/look-again.ts';
import { refetchAfter } from '../../../api/query-client.ts';
import { withQueryPermit } from '../../../api/query-permits.ts';
import { useTime } from '../../../layout/use-time.ts';
import { type ResolvedRange, timesOf } from '../../../time/time-range.ts';
import type { ExploreSearch } from '../../explore/explore-search.ts';
import type { Tile } from '../use-dashboards.ts';
import { nameTileAnswer, type TileAnswer } from './load-tile.ts';

export interface LoadedTile {
  /** Null if no tile can show it, or if its saved query is gone. */
  readonly answer: TileAnswer | null;
  /** The times that were asked for. */
  readonly range: ResolvedRange;
  readonly zone: string;
}

export interface AskedTile {
  readonly tile: Tile;
  readonly index: number;
  readonly range: { readonly from: string; readonly to: string };
  readonly zone: string;
  readonly signal: AbortSignal;
}

/** The page that asks what a tile asks. */
export type TileOrigin =
  | { readonly page: 'explore'; readonly question: ExploreSearch }
  | { readonly page: 'sql'; readonly sql: string };

/** Where the tiles of a page get their data: a dashboard of the project, or a shared one. */
export interface TileSource {
  /** The project, or the link. */
  readonly id: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly refreshSeconds: number;
  /** What else the answer of a tile depends on. */
  readonly keyOf: (tile: Tile, index: number) => unknown;
  /** Whether what the tile asks is not loaded yet. */
  readonly isWaiting?: (tile: Tile) => boolean;
  /** The page that can ask the question of a tile differently. Absent for readers who cannot ask their own. */
  readonly originOf?: (tile: Tile) => TileOrigin | null;
  /** Said instead of the reason why a question is refused, which this reader cannot mend. */
  readonly refusedText?: string;
  /** Undefined if there is nothing to ask. */
  readonly ask: (asked: AskedTile) => Promise<unknown>;
}

export const TileSourceContext = createContext<TileSource | null>(null);

/** The data of a tile: three at a time, cancelled when the page is left, kept while it is loaded again. */
export function useTile(tile: Tile, index: number): UseQueryResult<LoadedTile> {
  const source = useContext(TileSourceContext);
  if (source === null) throw new Error('A tile needs a source');
  const { range, zone, resolve } = useTime();
  const { id, variables, refreshSeconds, keyOf, isWaiting, ask } = source;
  const asks = [tile.analysis ?? tile.query ?? tile.savedQueryId, keyOf(tile, index)];
  return useQuery<LoadedTile>({
    queryKey: [id, 'tile', asks, range, zone, [...variables]],
    enabled: isWaiting?.(tile) !== true,
    refetchInterval: ({ state }) =>
      lookAgainAfter(state.data?.answer?.answer, state.dataUpdateCount) ||
      (refreshSeconds > 0 ? refreshSeconds * 1_000 : refetchAfter(state.error)),
    // The same tile over another range. Another question has no answer yet.
    placeholderData: (previous: LoadedTile | undefined, query) =>
      JSON.stringify(query?.queryKey.slice(0, 3)) === JSON.stringify([id, 'tile', asks])
        ? keepPreviousData(previous)
        : undefined,
    queryFn: ({ signal }): Promise<LoadedTile> =>
      withQueryPermit(signal, async () => {
        const resolved = resolve();
        const answer = await ask({ tile, index, range: timesOf(resolved), zone, signal });
        return {
          answer: answer === undefined ? null : nameTileAnswer(tile.analysis?.name, answer),
          range: resolved,
          zone,
        };
      }),
  });
}
