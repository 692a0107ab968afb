import { type ReactNode, useState } from 'react';
import type { BodyOf, RowOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog, DialogActions, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { CheckField } from '../../components/fields/check-field.tsx';
import { SelectField } from '../../components/fields/select-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { WallTimeField } from '../../components/fields/wall-time-field.tsx';
import { useMay } from '../../components/states/permissions.tsx';
import { useTime } from '../../layout/use-time.ts';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { fromWallTime } from '../../time/wall-time.ts';
import { ScopeFields } from './roles/scope-fields.tsx';
import { settingsTexts } from './settings-texts.ts';

export interface NewKey {
  readonly text: string;
  /** The key that it replaces, while both work. */
  readonly previous?: RowOf<'GET /v1/keys'>;
}

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: NewKey) => void;
}

export function CreateKeyDialog({ isOpen, onClose, onCreated }: CreateKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const [kind, setKind] = useState<KindChoice>('public');
  const [draft, setDraft] = useState(emptyKey);
  const [isPersonal, setPersonal] = useState(false);
  const [expires, setExpires] = useState('');
  const { zone } = useTime();
  const may = useMay();
  const create = useAct('POST /v1/keys', {
    changes: ['GET /v1/keys'],
    onDone: ({ text, key: { projectId } }) => {
      setDraft(emptyKey);
      setPersonal(false);
      setExpires('');
      onClose();
      const database = projectId.replace('p-', 'project_p_');
      const settings = { address: location.origin, user: projectId, password: text, database };
      onCreated({ text: kind === 'bi' ? texts.biSettings(settings) : text });
    },
  });
  const send = () => {
    const until = expires === '' ? null : new Date(fromWallTime(expires, zone)).toISOString();
    const body = kind === 'bi' ? biUserOf(draft.comment, isPersonal) : { kind, ...bodyOf(draft, kind) };
    create.mutate({ body: { ...body, expires: until } });
  };
  return (
    <Dialog title={texts.createKey} isOpen={isOpen} onClose={onClose} width={640}>
      <SelectField
        label={texts.kind}
        value={kind}
        choices={kindChoices}
        labelOf={(each) => texts[each]}
        onChange={setKind}
      />
      <KeyFields kind={kind} draft={draft} onChange={setDraft} />
      {kind === 'bi' && (
        <CheckField
          label={texts.biPersonal}
          help={texts.biHelp}
          isDisabled={!may('personal:read')}
          isChecked={isPersonal}
          onChange={setPersonal}
        />
      )}
      <WallTimeField label={texts.keyExpires(zone)} value={expires} onChange={setExpires} />
      <DialogEnd action={texts.createKey} act={create} onClose={onClose} onPress={send} />
    </Dialog>
  );
}

/** A BI tool has an administrative key that can only query. */
const kindChoices = ['public', 'administrative', 'bi'] as const;
type KindChoice = (typeof kindChoices)[number];

function biUserOf(comment: string, isPersonal: boolean): BodyOf<'POST /v1/keys'> {
  return {
    kind: 'administrative',
    comment,
    scopes: isPersonal ? ['queries:read', 'personal:read'] : ['queries:read'],
  };
}

interface EditKeyDialogProps {
  readonly apiKey: RowOf<'GET /v1/keys'>;
  readonly onClose: () => void;
}

export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  const { id, kind, version, comment, scopes, origins } = apiKey;
  const [draft, setDraft] = useState<KeyDraft>({ comment, scopes, origins: (origins ?? []).join('\n') });
  const edit = useAct('PATCH /v1/keys/{keyId}', { changes: ['GET /v1/keys'], onDone: onClose });
  return (
    <Dialog title={texts.editKey} onClose={onClose} width={640}>
      <KeyFields kind={kind} draft={draft} onChange={setDraft} />
      <DialogEnd
        action={texts.save}
        act={edit}
        onClose={onClose}
        onPress={() => edit.mutate({ params: { keyId: id }, body: { version, ...bodyOf(draft, kind) } })}
      />
    </Dialog>
  );
}

/** In hours, with their names: from none to the most that the API accepts. */
const overlapNames = { 0: 'atOnce', 1: 'afterHour', 24: 'afterDay', 168: 'afterWeek' } as const;
const overlaps = [0, 1, 24, 168] as const;

interface RotateKeyDialogProps extends EditKeyDialogProps {
  readonly onCreated: (key: NewKey) => void;
}

/** Says what becomes of the old key before there is a new one. */
export function RotateKeyDialog({ apiKey, onClose, onCreated }: RotateKeyDialogProps): ReactNode {
  const texts = useTexts(settingsTexts);
  // Long enough to replace the key in running servers, or in the builds of a day.
  const [hours, setHours] = useState<(typeof overlaps)[number]>(24);
  const rotate = useAct('POST /v1/keys/{keyId}/rotate', {
    changes: ['GET /v1/keys'],
    onDone: ({ text, previous }) => {
      onClose();
      onCreated(hours === 0 ? { text } : { text, previous });
    },
  });
  return (
    <Dialog title={texts.rotateTitle} onClose={onClose}>
      <p>
        <code className="font-mono text-sm">{nameOfKey(apiKey)}</code> {apiKey.comment}
      </p>
      <SelectField
        label={texts.oldKeyEnds}
        value={hours}
        choices={overlaps}
        labelOf={(each) => texts[overlapNames[each]]}
        onChange={setHours}
        help={hours === 0 ? texts.rotateAtOnceHelp : texts.rotateHelp}
      />
      <DialogEnd
        action={texts.rotate}
        act={rotate}
        onClose={onClose}
        onPress={() =>
          rotate.mutate({ params: { keyId: apiKey.id }, body: { overlapSeconds: hours * 3_600 } })
        }
      />
    </Dialog>
  );
}

/** The text of a key, once. */
export function NewKeyDialog({
  text,
  previous,
  onClose,
}: NewKey & { readonly onClose: () => void }): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  return (
    <Dialog title={texts.newKeyTitle} onClose={onClose} isRequired>
      <p className="text-soft">{texts.newKeyHelp}</p>
      <CodeBlock label={texts.key} code={text} />
      {previous?.expires != null && (
        <p>{texts.oldKeyUntil(nameOfKey(previous), formats.time(previous.expires))}</p>
      )}
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {texts.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface KeyDraft {
  readonly comment: string;
  readonly scopes: readonly string[];
  /** One a line. */
  readonly origins: string;
}

const emptyKey: KeyDraft = { comment: '', scopes: [], origins: '' };

type Scope = NonNullable<BodyOf<'POST /v1/keys'>['scopes']>[number];

/** As the calls take it: a public key has no scopes, and one without origins works from everywhere. */
function bodyOf({ comment, scopes, origins }: KeyDraft, kind: string) {
  const lines = origins.split(/\s+/).filter(Boolean);
  return {
    comment,
    origins: lines.length === 0 ? null : lines,
    ...(kind === 'administrative' && { scopes: [...scopes] as Scope[] }),
  };
}

/** How a list shows a key. A key and its successor can have the same beginning. */
export function nameOfKey({ prefix, ending }: Pick<RowOf<'GET /v1/keys'>, 'prefix' | 'ending'>): string {
  return `${prefix}…${ending}`;
}

interface KeyFieldsProps {
  /** `bi` for a key that can only query: it has no web origins, and its scopes are not chosen here. */
  readonly kind: string;
  readonly draft: KeyDraft;
  readonly onChange: (draft: KeyDraft) => void;
}

function KeyFields({ kind, draft, onChange }: KeyFieldsProps): ReactNode {
  const texts = useTexts(settingsTexts);
  return (
    <>
      <TextField
        label={texts.comment}
        help={texts.commentHelp}
        value={draft.comment}
        onChange={(comment) => onChange({ ...draft, comment })}
        autoFocus
      />
      {kind !== 'bi' && (
        <TextField
          label={texts.origins}
          help={texts.originsHelp}
          value={draft.origins}
          onChange={(origins) => onChange({ ...draft, origins })}
          rows={2}
          isMonospace
        />
      )}
      {kind === 'administrative' && (
        <ScopeFields scopes={draft.scopes} onChange={(scopes) => onChange({ ...draft, scopes })} />
      )}
    </>
  );
}
