import { type ReactNode, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../button.tsx';
import { TextField } from '../fields/text-field.tsx';
import { ProblemNote } from '../states/problem-note.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  /** The name that the user types. */
  readonly name: string;
  readonly action: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
  readonly problem?: Problem | null;
}

/** For what cannot be undone: the user types the name of the thing. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <ConfirmForm {...props} />
    </Dialog>
  );
}

function ConfirmForm({
  children,
  name,
  action,
  onClose,
  onConfirm,
  isPending,
  problem,
}: ConfirmDialogProps): ReactNode {
  const texts = useTexts(commonTexts);
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
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
      {problem && <ProblemNote problem={problem} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button type="submit" look="danger" isDisabled={!isRight || isPending === true}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
