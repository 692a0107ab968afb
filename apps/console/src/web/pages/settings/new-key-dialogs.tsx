import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog, DialogActions } from '../../components/dialogs/dialog.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { WallTimeField } from '../../components/fields/wall-time-field.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useTime } from '../../layout/use-time.ts';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { fromWallTime } from '../../time/wall-time.ts';
import { bodyOf, emptyKey, type KeyDraft, KeyFields, nameOfKey } from './key-fields.tsx';
import { settingsTexts } from './settings-texts.ts';

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (text: string) => void;
}

export function CreateKeyDialog({ isOpen, onClose, onCreated }: CreateKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const [kind, setKind] = useState<'public' | 'administrative'>('public');
  const [draft, setDraft] = useState(emptyKey);
  const [expires, setExpires] = useState('');
  const { zone } = useTime();
  const create = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => {
      setDraft(emptyKey);
      setExpires('');
      onClose();
      onCreated(text);
    },
  });
  const send = () => {
    const until = expires === '' ? null : new Date(fromWallTime(expires, zone)).toISOString();
    create.mutate({ body: { kind, ...bodyOf(draft, kind), expires: until } });
  };
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
      <KeyFields kind={kind} draft={draft} onChange={setDraft} />
      <WallTimeField label={texts.keyExpires(zone)} value={expires} onChange={setExpires} />
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

interface EditKeyDialogProps {
  readonly apiKey: RowOf<'GET /v1/keys'>;
  readonly onClose: () => void;
}

export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const { id, kind, version, comment, scopes, origins } = apiKey;
  const [draft, setDraft] = useState<KeyDraft>({ comment, scopes, origins: (origins ?? []).join('\n') });
  const edit = useAct('PATCH /v1/keys/{keyId}', { changes: ['GET /v1/keys'], onDone: onClose });
  return (
    <Dialog title={texts.editKey} isOpen onClose={onClose} width={640}>
      <KeyFields kind={kind} draft={draft} onChange={setDraft} />
      {edit.error !== null && <ProblemNote problem={edit.error} />}
      <DialogActions>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          look="primary"
          isDisabled={edit.isPending}
          onPress={() => edit.mutate({ params: { keyId: id }, body: { version, ...bodyOf(draft, kind) } })}
        >
          {common.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Long enough to replace the key in running servers, or in the builds of a day. */
const overlapHours = 24;

interface RotateKeyDialogProps extends EditKeyDialogProps {
  readonly onCreated: (text: string) => void;
}

/** Says what becomes of the old key before there is a new one. */
export function RotateKeyDialog({ apiKey, onClose, onCreated }: RotateKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const common = useTexts(commonTexts);
  const rotate = useAct('POST /v1/keys/{keyId}/rotate', {
    changes: ['GET /v1/keys'],
    onDone: ({ text }) => {
      onClose();
      onCreated(text);
    },
  });
  return (
    <Dialog title={texts.rotateTitle} isOpen onClose={onClose}>
      <p>
        <code className="font-mono text-sm">{nameOfKey(apiKey)}</code> {apiKey.comment}
      </p>
      <p>{texts.rotateHelp(String(overlapHours))}</p>
      {rotate.error !== null && <ProblemNote problem={rotate.error} />}
      <DialogActions>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          look="primary"
          isDisabled={rotate.isPending}
          onPress={() =>
            rotate.mutate({ params: { keyId: apiKey.id }, body: { overlapSeconds: overlapHours * 3_600 } })
          }
        >
          {texts.rotate}
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
