import type { ReactNode } from 'react';
import { Funnel } from '../../../charts/funnel.tsx';
import { HeatMap } from '../../../charts/heat-map.tsx';
import { useFormats } from '../../../layout/use-time.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { nowMs } from '../../../time/clock.ts';
import type { Per } from '../../explore/explore-search.ts';
import { exploreTexts } from '../../explore/explore-texts.ts';
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

interface RetentionChartProps {
  readonly tile: Tile;
  readonly cohorts: readonly {
    readonly cohort: string;
    readonly players: number;
    readonly returned: readonly number[];
  }[];
}

const dayMs = 86_400_000;

export function RetentionChart({ tile, cohorts }: RetentionChartProps): ReactNode {
  const texts = useTexts(dashboardsTexts);
  const words = useTexts(exploreTexts);
  const formats = useFormats();
  if (cohorts.length === 0) return <TileNote text={texts.nothing} />;
  const isWeekly = perOf(tile) === 'week';
  const most = Math.max(...cohorts.map(({ returned }) => returned.length));
  const nameOf = isWeekly ? words.periodWeekShort : words.periodDayShort;
  const heads = Array.from({ length: most }, (_, index) => nameOf(String(index + 1)));
  const isReached = (cohort: string, period: number) =>
    Date.parse(cohort) + period * (isWeekly ? 7 : 1) * dayMs <= nowMs();
  return (
    <HeatMap
      label={tile.title}
      heads={[words.cohort, words.playersColumn, ...heads]}
      rows={cohorts.map(({ cohort, players, returned }) => ({
        name: formats.day(cohort),
        detail: formats.number(players),
        cells: returned.map((back, index) => (isReached(cohort, index + 1) ? back / players : null)),
      }))}
      // Whole percents, so that a fortnight fits into a tile.
      write={(fraction) => formats.percent(Math.round(fraction * 100) / 100)}
    />
  );
}

/** The period that an analysis counts by. */
export function perOf(tile: Tile): Per {
  const { per } = (tile.analysis?.parameters ?? {}) as { readonly per?: Per };
  return per ?? 'day';
}
