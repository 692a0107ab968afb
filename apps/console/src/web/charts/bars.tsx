import type { ReactNode } from 'react';
import { decimalsOf } from '../results/read-result.ts';
import { useFormats } from '../texts/use-texts.ts';

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The written value; the default is the number, aligned with the others. */
  readonly text?: string;
}

interface BarsProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly onOpen?: (name: string) => void;
}

/** Amounts of named things, the largest first as given. */
export function Bars({ label, bars, onOpen }: BarsProps): ReactNode {
  const formats = useFormats();
  const decimals = decimalsOf(bars.map(({ value }) => value));
  const most = Math.max(...bars.map(({ value }) => value), 1e-9);
  return (
    <ul aria-label={label} className="grid grid-cols-[1fr_auto] gap-x-3">
      {bars.map(({ name, value, text }) => (
        <li key={name} className="col-span-2 grid h-7 grid-cols-subgrid items-center">
          <span className="relative flex h-full min-w-0 items-center px-2">
            <span
              aria-hidden="true"
              className="absolute inset-y-0.5 left-0 rounded-sm bg-series-1/25"
              style={{ width: `${(100 * value) / most}%` }}
            />
            {onOpen === undefined ? (
              <span className="foreign relative truncate">{name}</span>
            ) : (
              <button
                type="button"
                className="foreign relative truncate hover:underline"
                onClick={() => onOpen(name)}
              >
                {name}
              </button>
            )}
          </span>
          <span className="text-right">{text ?? formats.decimals(value, decimals)}</span>
        </li>
      ))}
    </ul>
  );
}
