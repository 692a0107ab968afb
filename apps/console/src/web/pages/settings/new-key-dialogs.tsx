import { type ReactNode, useState } from 'react';
import type { BodyOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog, DialogActions } from '../../components/dialogs/dialog.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { ScopeFields } from './roles/scope-fields.tsx';
import { settingsTexts } from './settings-texts.ts';

type Scope = NonNullable<BodyOf<'POST /v1/keys'>['scopes']>[number];

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (text: string) => void;
}

export function CreateKeyDialog({ isOpen, onClose, onCreated }: CreateKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const [kind, setKind] = useState<'public' | 'administrative'>('public');
  const [comment, setComment] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const create = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => {
      setComment('');
      setScopes([]);
      onClose();
      onCreated(text);
    },
  });
  const send = () =>
    create.mutate({
      body: { kind, comment, ...(kind === 'administrative' && { scopes: [...scopes] as Scope[] }) },
    });
  return (
    <Dialog title={texts.createKey} isOpen={isOpen} onClose={onClose} width={640}>
      <SelectField
        label={texts.kind}
        value={kind}
        choices={[
          { value: 'public', label: texts.public },
          { value: 'administrative', label: texts.administrative },
        ]}
        onChange={(value) => setKind(value === 'administrative' ? 'administrative' : 'public')}
      />
      <TextField
        label={texts.comment}
        help={texts.commentHelp}
        value={comment}
        onChange={setComment}
        autoFocus
      />
      {kind === 'administrative' && <ScopeFields scopes={scopes} onChange={setScopes} />}
      {create.error !== null && <ProblemNote problem={create.error} />}
      <DialogActions>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button look="primary" isDisabled={create.isPending} onPress={send}>
          {texts.createKey}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The text of a key, once. */
export function NewKeyDialog({
  text,
  onClose,
}: {
  readonly text: string | null;
  readonly onClose: () => void;
}): ReactNode {
  const texts = useTexts(settingsTexts);
  return (
    <Dialog title={texts.newKeyTitle} isOpen={text !== null} onClose={onClose} isRequired>
      <p className="text-soft">{texts.newKeyHelp}</p>
      <CodeBlock label={texts.key} code={text ?? ''} />
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
