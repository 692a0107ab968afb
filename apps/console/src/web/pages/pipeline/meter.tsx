import type { ReactNode } from 'react';

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  /** The share of the limit from which it is shown as bad. */
  readonly badFrom: number;
}

export function Meter({ label, value, limit, badFrom }: MeterProps): ReactNode {
  const share = limit > 0 ? Math.min(1, value / limit) : 0;
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="h-1.5 overflow-hidden rounded-full bg-raised"
    >
      <div
        className={`h-full ${share >= badFrom ? 'bg-bad' : 'bg-accent'}`}
        style={{ width: `${Math.max(share * 100, value > 0 ? 1 : 0)}%` }}
      />
    </div>
  );
}
