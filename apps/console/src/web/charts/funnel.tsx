import type { ReactNode } from 'react';
import { useFormats } from '../layout/use-time.ts';

export interface FunnelStep {
  readonly name: string;
  readonly players: number;
}

interface FunnelProps {
  readonly label: string;
  readonly steps: readonly FunnelStep[];
  /** "Players behind this": those who reached the step. */
  readonly onOpen?: (step: number) => void;
}

/** How many players reached each step, of the first and of the one before. */
export function Funnel({ label, steps, onOpen }: FunnelProps): ReactNode {
  const formats = useFormats();
  const first = steps[0]?.players ?? 0;
  return (
    <ol aria-label={label} className="flex flex-col gap-2">
      {steps.map(({ name, players }, index) => {
        const before = steps[index - 1]?.players ?? players;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its position; names repeat
          <li key={index} className="flex flex-col gap-1">
            <div className="flex items-baseline justify-between gap-4">
              <span className="foreign min-w-0 truncate">
                <span className="text-soft">{index + 1}.</span> {name}
              </span>
              <span className="flex items-baseline gap-3 whitespace-nowrap">
                {index > 0 && (
                  <span className="text-sm text-soft">
                    {players < before && '−'}
                    {formats.percent(1 - players / Math.max(before, 1))}
                  </span>
                )}
                <span className="min-w-12 text-right font-medium">
                  {formats.percent(players / Math.max(first, 1))}
                </span>
                {onOpen === undefined ? (
                  <span>{formats.number(players)}</span>
                ) : (
                  <button type="button" className="text-accent hover:underline" onClick={() => onOpen(index)}>
                    {formats.number(players)}
                  </button>
                )}
              </span>
            </div>
            <div className="h-5 rounded-sm bg-raised">
              <div
                className="h-full min-w-0.5 rounded-sm bg-series-1"
                style={{ width: `${(100 * players) / Math.max(first, 1)}%` }}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
