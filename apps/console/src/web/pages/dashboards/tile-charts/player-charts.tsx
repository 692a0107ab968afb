import type { ReactNode } from 'react';
import { Funnel } from '../../../charts/funnel.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import type { Per } from '../../explore/explore-search.ts';
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
  const named = steps.map(({ step, players }) => ({ name: stepName(asked?.steps?.[step - 1]), players }));
  return <Funnel label={tile.title} steps={named} />;
}

interface FunnelStep {
  readonly type: string;
  readonly where?: readonly { readonly member: string; readonly value: unknown }[];
}

/** `tutorial_step · step 4`. */
function stepName(step: FunnelStep | undefined): string {
  if (step === undefined) return '';
  return [step.type, ...(step.where ?? []).map(({ member, value }) => `${member} ${value}`)].join(' · ');
}

/** The period that an analysis counts by. */
export function perOf(tile: Tile): Per {
  const { per } = (tile.analysis?.parameters ?? {}) as { readonly per?: Per };
  return per ?? 'day';
}
