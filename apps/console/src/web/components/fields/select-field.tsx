import type { ReactNode } from 'react';
import { inputShape } from './text-field.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
  readonly help?: string;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/** One of a few values. The browser's own list: it works everywhere, with the keyboard and on a phone. */
export function SelectField(props: SelectFieldProps): ReactNode {
  const {
    label,
    isLabelHidden = false,
    value,
    choices,
    onChange,
    help,
    isDisabled = false,
    className = '',
  } = props;
  return (
    <label className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <span className={isLabelHidden ? 'sr-only' : 'font-medium'}>{label}</span>
      <select
        className={`${inputShape} h-7 truncate pr-7`}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {help !== undefined && <span className="text-sm text-soft">{help}</span>}
    </label>
  );
}
