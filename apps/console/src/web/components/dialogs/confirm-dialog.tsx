import { type ReactNode, useState } from 'react';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { TextField } from '../fields/text-field.tsx';
import { Form } from '../form.tsx';
import { Dialog, DialogEnd } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The name that the user types. */
  readonly name: string;
  readonly action?: string;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isDisabled?: boolean;
  readonly act: { readonly isPending: boolean; readonly error: Error | null };
}

/** For what cannot be undone: the user types the name of the thing. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  return (
    <Dialog title={props.title} isOpen={props.isOpen ?? true} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm(props: ConfirmDialogProps): ReactNode {
  const { title, children, name, action = title, isDisabled = false, act, onClose, onConfirm } = props;
  const texts = useTexts(commonTexts);
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name;
  return (
    <Form
      onSubmit={() => {
        if (isRight) onConfirm();
      }}
    >
      <div>{children}</div>
      <TextField
        label={texts.typeToConfirm(name)}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
        isMonospace
      />
      <DialogEnd
        action={action}
        look="danger"
        isDisabled={!isRight || isDisabled}
        act={act}
        onClose={onClose}
      />
    </Form>
  );
}
