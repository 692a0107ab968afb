import { type ReactNode, useState } from 'react';
import { TextField } from '../../../components/fields/text-field.tsx';

interface DraftFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** As the document has it. */
  readonly value: string;
  /** The text as the document would have it, or null if the document cannot contain it. */
  readonly read: (text: string) => string | null;
  /** Gets only texts that `read` accepts. */
  readonly onWrite: (text: string) => void;
  readonly fault: string;
  readonly help?: string;
  readonly rows?: number;
  readonly isMonospace?: boolean;
  readonly className?: string;
  /** Enter does this, and does not submit the form. */
  readonly onEnter?: () => void;
  /** Whether the reader can type over the text at once. */
  readonly isNew?: boolean;
}

/** A field of a document. A text that the document cannot contain stays in the field, with the reason. */
export function DraftField({
  value,
  read,
  onWrite,
  fault,
  isNew = false,
  onEnter,
  ...field
}: DraftFieldProps): ReactNode {
  const [draft, setDraft] = useState({ of: value, text: value });
  const text = draft.of === value ? draft.text : value;
  return (
    <TextField
      {...field}
      autoFocus={isNew}
      onFocus={({ target }) => isNew && target instanceof HTMLInputElement && target.select()}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || onEnter === undefined) return;
        event.preventDefault();
        onEnter();
      }}
      value={text}
      error={read(text) === null ? fault : null}
      onChange={(typed) => {
        const accepted = read(typed);
        setDraft({ of: accepted ?? value, text: typed });
        if (accepted !== null) onWrite(typed);
      }}
    />
  );
}
