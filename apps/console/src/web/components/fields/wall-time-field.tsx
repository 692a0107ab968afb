import type { ReactNode } from 'react';

interface WallTimeFieldProps {
  readonly label: string;
  /** As a `datetime-local` field has it; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A date and a time of day, in the zone that the label names. */
export function WallTimeField({ label, value, onChange }: WallTimeFieldProps): ReactNode {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-medium">{label}</span>
      <input
        type="datetime-local"
        className="h-7 rounded-md border border-edge bg-panel px-2"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
