import type { ReactNode } from 'react';
import { inputShape } from './text-field.tsx';

interface WallTimeFieldProps {
  readonly label: string;
  /** As a `datetime-local` field has it; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether it is short, with its label beside it and with seconds. */
  readonly isInline?: boolean;
}

/** A date and a time of day, in the zone that the label names. */
export function WallTimeField({ label, value, onChange, isInline = false }: WallTimeFieldProps): ReactNode {
  return (
    <label
      className={isInline ? 'grid grid-cols-[2rem_minmax(0,1fr)] items-center gap-2' : 'flex flex-col gap-1'}
    >
      <span className={isInline ? '' : 'font-medium'}>{label}</span>
      <input
        type="datetime-local"
        {...(isInline && { step: 1 })}
        className={`${inputShape} h-7`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
