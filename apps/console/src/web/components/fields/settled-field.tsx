import { type ReactNode, useEffect, useId, useState } from 'react';
import { inputShape } from './text-field.tsx';

interface SettledFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  /** Any other text may be typed too. */
  readonly suggestions?: readonly string[];
  readonly placeholder?: string;
  /** Called when the field is left, with Enter, or when a suggestion is chosen. */
  readonly onChange: (value: string) => void;
}

/** A text whose change asks the server: it changes when it is complete, and not with each letter. */
export function SettledField(props: SettledFieldProps): ReactNode {
  const { label, isLabelHidden = false, suggestions, value, placeholder = '', onChange } = props;
  const [text, setText] = useState(value);
  const listId = useId();
  useEffect(() => setText(value), [value]);
  const commit = (next: string) => next !== value && onChange(next);
  return (
    <label className="flex min-w-0 flex-1 flex-col gap-1">
      <span className={isLabelHidden ? 'sr-only' : 'font-medium'}>{label}</span>
      <input
        className={`${inputShape} h-7`}
        list={suggestions && listId}
        value={text}
        placeholder={placeholder}
        onChange={(event) => {
          setText(event.target.value);
          if (suggestions?.includes(event.target.value)) commit(event.target.value);
        }}
        onBlur={() => commit(text)}
        onKeyDown={(event) => event.key === 'Enter' && commit(text)}
      />
      <datalist id={listId}>
        {suggestions?.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </label>
  );
}
