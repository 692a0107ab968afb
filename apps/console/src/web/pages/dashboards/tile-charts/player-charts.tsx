import type { ReactNode } from 'react';
import { Funnel } from '../../../charts/funnel.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { type FunnelStep, type Per, stepName } from '../../explore/explore-search.ts';
import { dashboardsTexts } from '../dashboards-texts.ts';
import type { Tile } from '../range-of-dashboard.ts';
import { TileNote } from './tile-note.tsx';

interface FunnelChartProps {
  readonly tile: Tile;
  readonly steps: readonly { readonly step: number; readonly players: number }[];
}

export function FunnelChart({ tile, steps }: FunnelChartProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  if (steps.every(({ players }) => players === 0)) return <TileNote text={texts.nothing} />;
  const asked = tile.analysis?.parameters as { readonly steps?: readonly FunnelStep[] } | undefined;
  const named = steps.map(({ step, players }) => {
    const is = asked?.steps?.[step - 1];
    return { name: is === undefined ? '' : stepName(is), players };
  });
  return <Funnel label={tile.title} steps={named} />;
}

export function perOf(tile: Tile): Per {
  const { per } = (tile.analysis?.parameters ?? {}) as { readonly per?: Per };
  return per ?? 'day';
}
