import type { ReactNode } from 'react';
import { inputShape } from './text-field.tsx';

interface SelectFieldProps<T extends string | number> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: T;
  readonly choices: readonly T[];
  readonly labelOf?: (value: T) => string;
  readonly onChange: (value: T) => void;
  readonly help?: string;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/** One of a few values. The browser's own list: it works everywhere, with the keyboard and on a phone. */
export function SelectField<T extends string | number>(props: SelectFieldProps<T>): ReactNode {
  const {
    label,
    isLabelHidden = false,
    value,
    choices,
    labelOf = String,
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
        onChange={(event) => {
          const chosen = choices[event.target.selectedIndex];
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {labelOf(choice)}
          </option>
        ))}
      </select>
      {help !== undefined && <span className="text-sm text-soft">{help}</span>}
    </label>
  );
}
