import { Link } from '@tanstack/react-router';
import { type ReactNode, useContext, useRef } from 'react';
import { isRefused } from '../../../api/problem.ts';
import { PageState } from '../../../components/states/page-state.tsx';
import { useSize } from '../../../components/use-size.ts';
import { Icon } from '../../../look/icon.tsx';
import { useFormats, useTexts } from '../../../texts/use-texts.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import { TileChart } from '../tile-charts/tile-chart.tsx';
import { TileNote } from '../tile-charts/tile-note.tsx';
import type { Tile } from '../use-dashboards.ts';
import { TileSourceContext, useTile } from './use-tile.ts';

interface TileViewProps {
  readonly tile: Tile;
  readonly index: number;
  /** Instead of the age of the data, while the dashboard is edited. */
  readonly actions?: ReactNode;
  readonly onDragStart?: ((event: React.PointerEvent) => void) | undefined;
}

/** A tile with its title, its data and their age. */
export function TileView({ tile, index, actions, onDragStart }: TileViewProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const formats = useFormats();
  const loaded = useTile(tile, index);
  const refusedText = useContext(TileSourceContext)?.refusedText;
  const place = useRef<HTMLDivElement>(null);
  const height = useSize(place)?.height ?? 0;
  return (
    <>
      <div
        className={`flex h-9 shrink-0 items-center justify-between gap-2 px-3 ${onDragStart === undefined ? '' : 'cursor-move touch-none select-none'}`}
        onPointerDown={onDragStart}
      >
        <h2 className="foreign truncate font-semibold">{tile.title}</h2>
        {actions ??
          (loaded.dataUpdatedAt > 0 && (
            <span className="flex items-center gap-2">
              <OriginLink tile={tile} />
              {loaded.isFetching && (
                <Icon
                  name="refresh-cw"
                  size={12}
                  className="animate-spin text-soft motion-reduce:animate-none"
                />
              )}
              <span
                title={texts.updated(formats.clock(loaded.dataUpdatedAt))}
                className="whitespace-nowrap text-sm text-soft"
              >
                <span className="sr-only">{texts.updated(formats.clock(loaded.dataUpdatedAt))}</span>
                <span aria-hidden="true">{formats.clock(loaded.dataUpdatedAt)}</span>
              </span>
            </span>
          ))}
      </div>
      <div ref={place} className="min-h-0 flex-1 overflow-auto px-3">
        {refusedText !== undefined && isRefused(loaded.error) ? (
          <TileNote text={refusedText} />
        ) : (
          <PageState
            query={loaded}
            isQuestion
            skeletonLines={Math.max(2, Math.min(8, Math.floor(height / 28)))}
          >
            {({ answer, range, zone }) =>
              answer === null ? (
                <TileNote text={texts.missingQuery} />
              ) : (
                <TileChart tile={tile} answer={answer} range={range} zone={zone} height={height} />
              )
            }
          </PageState>
        )}
      </div>
      <div className="h-3 shrink-0" />
    </>
  );
}

/** To the page that can ask it differently, and show the SQL and the players behind it. */
function OriginLink({ tile }: Pick<TileViewProps, 'tile'>): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const origin = useContext(TileSourceContext)?.originOf?.(tile) ?? null;
  if (origin === null) return null;
  const [icon, label, link] =
    origin.page === 'explore'
      ? (['compass', texts.openInExplore, { to: '/p/$projectId/explore', search: origin.question }] as const)
      : ([
          'terminal',
          texts.openAsSql,
          { to: '/p/$projectId/sql', search: { tab: '', sql: origin.sql } },
        ] as const);
  return (
    <Link
      {...link}
      from="/p/$projectId"
      aria-label={label(tile.title)}
      className="no-print inline-flex size-6 items-center justify-center rounded-md text-soft hover:bg-raised"
    >
      <Icon name={icon} size={14} />
    </Link>
  );
}
