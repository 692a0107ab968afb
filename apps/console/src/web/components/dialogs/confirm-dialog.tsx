import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../fields/text-field.tsx';
import { Form } from '../form.tsx';
import type { Permission } from '../states/permissions.tsx';
import { Dialog, DialogEnd } from './dialog.tsx';

interface ConfirmDialogProps<I> {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The name that the user types. */
  readonly name: string;
  readonly action?: string;
  readonly isDisabled?: boolean;
  /** What the user confirms, and with what. The dialog closes when it is done. */
  readonly act: Pick<UseMutationResult<unknown, Error, I>, 'mutate' | 'isPending' | 'error'>;
  readonly input: NoInfer<I>;
  readonly onClose: () => void;
}

/** For what cannot be undone: the user types the name of the thing. */
export function ConfirmDialog<I>(props: ConfirmDialogProps<I>): ReactNode {
  const { title, children, name, action = title, isDisabled = false, act, input, onClose } = props;
  const texts = useTexts(commonTexts);
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => {
          if (isRight) act.mutate(input, { onSuccess: onClose });
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
    </Dialog>
  );
}

interface ConfirmButtonProps<I> extends Omit<ConfirmDialogProps<I>, 'onClose'> {
  readonly needs?: Permission;
}

/** The button for what cannot be undone. It asks before. */
export function ConfirmButton<I>({ needs, ...dialog }: ConfirmButtonProps<I>): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" icon="trash" {...(needs && { needs })} onPress={() => setAsking(true)}>
        {dialog.action ?? dialog.title}
      </Button>
      {isAsking && <ConfirmDialog {...dialog} onClose={() => setAsking(false)} />}
    </>
  );
}
