import type { ReactNode } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly help?: string;
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly isMonospace?: boolean;
  /** More than one line. */
  readonly rows?: number;
  readonly className?: string;
}

export const inputShape =
  'w-full rounded-md border border-edge bg-panel px-2 text-ink data-invalid:border-bad disabled:opacity-60';

export function TextField(props: TextFieldProps): ReactNode {
  const {
    label,
    isLabelHidden = false,
    help,
    error = null,
    placeholder,
    isMonospace = false,
    rows,
    ...field
  } = props;
  const font = isMonospace ? 'font-mono text-sm' : '';
  return (
    <AriaTextField
      {...field}
      isInvalid={error !== null}
      className={`flex min-w-0 flex-col gap-1 ${field.className ?? ''}`}
    >
      <Label className={isLabelHidden ? 'sr-only' : 'font-medium'}>{label}</Label>
      {rows === undefined ? (
        <Input placeholder={placeholder ?? ''} className={`${inputShape} h-7 ${font}`} />
      ) : (
        <TextArea placeholder={placeholder ?? ''} rows={rows} className={`${inputShape} py-1 ${font}`} />
      )}
      {help !== undefined && error === null && (
        <Text slot="description" className="text-sm text-soft">
          {help}
        </Text>
      )}
      <FieldError className="foreign text-sm text-bad">{error}</FieldError>
    </AriaTextField>
  );
}
