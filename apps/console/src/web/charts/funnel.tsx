import type { ReactNode } from 'react';
import { commonTexts } from '../texts/common-texts.ts';
import { useFormats, useTexts } from '../texts/use-texts.ts';

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

const row = 'col-span-full grid grid-cols-subgrid items-baseline gap-y-1 whitespace-nowrap';

/** How many players reached each step, of the first and of the one before. */
export function Funnel({ label, steps, onOpen }: FunnelProps): ReactNode {
  const texts = useTexts(commonTexts);
  const formats = useFormats();
  const first = steps[0]?.players ?? 0;
  return (
    <ol aria-label={label} className="grid grid-cols-[minmax(0,1fr)_auto_auto_auto] gap-x-3 gap-y-2">
      {steps.map(({ name, players }, index) => {
        const before = steps[index - 1]?.players ?? players;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its position; names repeat
          <li key={index} className={row}>
            <span className="foreign min-w-0 truncate">
              <span className="text-soft">{index + 1}.</span> {name}
            </span>
            <span className="text-right text-sm text-soft" title={texts.fromStepBefore}>
              {index === 0 ? (
                texts.stepChange
              ) : (
                <>
                  {players < before && '−'}
                  {formats.percent(1 - players / Math.max(before, 1), 'aligned')}
                </>
              )}
            </span>
            <span className="text-right font-medium" title={texts.ofFirstStep}>
              {formats.percent(players / Math.max(first, 1), 'aligned')}
            </span>
            {onOpen === undefined ? (
              <span className="text-right">{formats.number(players)}</span>
            ) : (
              <button
                type="button"
                className="text-right text-accent hover:underline"
                onClick={() => onOpen(index)}
              >
                {formats.number(players)}
              </button>
            )}
            <div className="col-span-full h-5 rounded-sm bg-raised">
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
