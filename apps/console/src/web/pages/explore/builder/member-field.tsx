import { type ReactNode, useEffect, useId, useState } from 'react';
import { inputShape } from '../../../components/fields/text-field.tsx';

interface MemberFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly members: readonly string[];
  readonly value: string;
  readonly placeholder?: string;
  /** Called when the field is left, with Enter, or when a suggestion is chosen. */
  readonly onChange: (value: string) => void;
}

/** The path of a member, completed from the declarations. Any path may be typed. */
export function MemberField(props: MemberFieldProps): ReactNode {
  const { label, isLabelHidden = false, members, value, placeholder = '', onChange } = props;
  const [text, setText] = useState(value);
  const listId = useId();
  useEffect(() => setText(value), [value]);
  const commit = (next: string) => next !== value && onChange(next);
  return (
    <label className="flex min-w-0 flex-1 flex-col gap-1">
      <span className={isLabelHidden ? 'sr-only' : 'font-medium'}>{label}</span>
      <input
        className={`${inputShape} h-7`}
        list={listId}
        value={text}
        placeholder={placeholder}
        onChange={(event) => {
          setText(event.target.value);
          if (members.includes(event.target.value)) commit(event.target.value);
        }}
        onBlur={() => commit(text)}
        onKeyDown={(event) => event.key === 'Enter' && commit(text)}
      />
      <datalist id={listId}>
        {members.map((member) => (
          <option key={member} value={member} />
        ))}
      </datalist>
    </label>
  );
}
