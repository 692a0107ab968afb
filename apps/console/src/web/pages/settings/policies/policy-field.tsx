import type { ReactNode } from 'react';
import { CheckField } from '../../../components/fields/check-field.tsx';
import { SelectField } from '../../../components/fields/select-field.tsx';
import { TextField } from '../../../components/fields/text-field.tsx';
import { type Path, readNumber } from './policy-values.ts';

/** A member of a policy and how it is edited. */
export interface Field {
  readonly path: Path;
  /** `list`: one entry per line. `secret`: the server shows it only as asterisks. */
  readonly kind: 'text' | 'secret' | 'number' | 'list' | 'flag' | 'choice';
  readonly label: string;
  readonly help?: string;
  /** What an empty field means. */
  readonly placeholder?: string;
  /** The value of an empty field. The default removes the member. */
  readonly empty?: null | '';
  /** The value of a member that is not set. */
  readonly standard?: string | boolean;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

interface PolicyFieldProps {
  readonly field: Field;
  readonly value: unknown;
  readonly error: string | null;
  readonly onChange: (to: unknown) => void;
}

export function PolicyField({ field, value, error, onChange }: PolicyFieldProps): ReactNode {
  const { kind, label, help, placeholder, standard, choices = [] } = field;
  const helped = { label, ...(help !== undefined && { help }) };
  if (kind === 'flag') {
    return <CheckField {...helped} isChecked={(value ?? standard) === true} onChange={onChange} />;
  }
  if (kind === 'choice') {
    return (
      <SelectField
        {...helped}
        value={String(value ?? standard ?? '')}
        choices={choices.map((choice) => choice.value)}
        labelOf={(each) => choices.find((choice) => choice.value === each)?.label ?? each}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      />
    );
  }
  return (
    <TextField
      {...helped}
      {...(placeholder !== undefined && { placeholder })}
      {...(kind === 'list' && { rows: 2 })}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      isMonospace={kind !== 'text' && kind !== 'number'}
      value={textOf(value)}
      error={error}
      onChange={(text) => onChange(text.trim() === '' ? field.empty : readTyped(kind, text))}
    />
  );
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

function readTyped(kind: Field['kind'], text: string): unknown {
  if (kind === 'list') return text.split('\n');
  if (kind === 'number') return readNumber(text);
  return text;
}
