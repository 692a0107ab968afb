import type { ReactNode } from 'react';

interface CheckFieldProps {
  readonly label: string;
  readonly help?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}

export function CheckField({
  label,
  help,
  isChecked,
  onChange,
  isDisabled = false,
}: CheckFieldProps): ReactNode {
  return (
    <label className="flex items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.5"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="flex min-w-0 flex-col">
        <span>{label}</span>
        {help !== undefined && <span className="text-sm text-soft">{help}</span>}
      </span>
    </label>
  );
}
