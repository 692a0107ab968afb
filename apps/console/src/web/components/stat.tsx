import type { ReactNode } from 'react';

interface StatProps {
  readonly name: string;
  readonly value: string;
  readonly detail?: string;
  readonly isBad?: boolean;
}

export function Stat({ name, value, detail, isBad = false }: StatProps): ReactNode {
  return (
    <div className="flex min-w-32 flex-1 flex-col rounded-lg border bg-panel px-3 py-2">
      <span className="text-sm text-soft">{name}</span>
      <span className={`text-xl font-semibold ${isBad ? 'text-bad' : ''}`}>{value}</span>
      <span className="min-h-4 text-sm text-soft">{detail}</span>
    </div>
  );
}
