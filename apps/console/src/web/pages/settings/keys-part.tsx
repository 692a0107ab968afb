import { type ReactNode, useState } from 'react';
import type { RowOf } from '../../api/call.ts';
import { useAct, useList } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { type Column, ListPanel } from '../../components/data-table.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/states/page-state.tsx';
import { useFormats, useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import {
  CreateKeyDialog,
  EditKeyDialog,
  type NewKey,
  NewKeyDialog,
  nameOfKey,
  RotateKeyDialog,
} from './new-key-dialogs.tsx';
import { Rights } from './roles/roles-part.tsx';
import { settingsTexts } from './settings-texts.ts';

type Key = RowOf<'GET /v1/keys'>;

/** Keys with their state. A revoked key stays in the list: it says what happened. */
export function KeysPart(): ReactNode {
  const texts = useTexts(settingsTexts);
  const keys = useList('GET /v1/keys');
  const [isCreating, setCreating] = useState(false);
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  const revoke = useAct('DELETE /v1/keys/{keyId}', { changes: ['GET /v1/keys'] });
  const columns = useKeyColumns(setChosen);
  return (
    <>
      <ListPanel
        title={texts.keys}
        actions={
          <Button icon="plus" needs="keys:write" onPress={() => setCreating(true)}>
            {texts.createKey}
          </Button>
        }
        list={keys}
        empty={<EmptyState icon="key" title={texts.noKeys} text={texts.noKeysHelp} />}
        columns={columns}
        keyOf={({ id }) => id}
      />
      <CreateKeyDialog isOpen={isCreating} onClose={() => setCreating(false)} onCreated={setNewKey} />
      {newKey !== null && <NewKeyDialog {...newKey} onClose={() => setNewKey(null)} />}
      {chosen?.act === 'edit' && <EditKeyDialog apiKey={chosen.key} onClose={close} />}
      {chosen?.act === 'rotate' && (
        <RotateKeyDialog apiKey={chosen.key} onClose={close} onCreated={setNewKey} />
      )}
      {chosen?.act === 'revoke' && (
        <ConfirmDialog
          title={texts.revokeTitle}
          name={chosen.key.ending}
          action={texts.revoke}
          act={revoke}
          input={{ params: { keyId: chosen.key.id } }}
          onClose={close}
        >
          <p>
            <code className="font-mono text-sm">{nameOfKey(chosen.key)}</code> {chosen.key.comment}
          </p>
          <p>{texts.revokeHelp}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

const acts = ['edit', 'rotate', 'revoke'] as const;

interface Chosen {
  readonly act: (typeof acts)[number];
  readonly key: Key;
}

function useKeyColumns(onChoose: (chosen: Chosen) => void): Column<Key>[] {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  return [
    { title: texts.key, width: '150px', look: 'code', render: nameOfKey },
    { title: texts.comment, width: 'minmax(110px, 2fr)', render: ({ comment }) => comment },
    {
      title: texts.rights,
      width: 'minmax(110px, 2fr)',
      render: ({ kind, scopes }) =>
        kind === 'public' ? (
          <span title={texts.publicScopesHelp}>{texts.publicScopes}</span>
        ) : (
          <Rights scopes={scopes} />
        ),
    },
    {
      title: texts.created,
      width: '80px',
      render: ({ created }) => <span title={formats.time(created)}>{formats.day(created)}</span>,
    },
    {
      title: texts.lastUsed,
      width: '130px',
      render: ({ lastUsed }) => (lastUsed === null ? texts.never : formats.ago(lastUsed, nowMs())),
    },
    { title: texts.state, width: '160px', render: (key) => <KeyState apiKey={key} /> },
    {
      title: '',
      isNumber: true,
      width: `${90 + 7.5 * (texts.edit + texts.rotate + texts.revoke).length}px`,
      render: (key) =>
        isActive(key) && (
          <span className="-mr-2.5 flex justify-end">
            {acts.map((act) => (
              <Button key={act} look="quiet" needs="keys:write" onPress={() => onChoose({ act, key })}>
                {texts[act]}
              </Button>
            ))}
          </span>
        ),
    },
  ];
}

function isActive({ revoked, expires }: Key): boolean {
  return revoked === null && (expires === null || Date.parse(expires) > nowMs());
}

function KeyState({ apiKey }: { readonly apiKey: Key }): ReactNode {
  const texts = useTexts(settingsTexts);
  const formats = useFormats();
  const { revoked, expires } = apiKey;
  if (revoked !== null) return <Badge tone="bad">{texts.revoked}</Badge>;
  if (expires === null) return <Badge>{texts.active}</Badge>;
  if (Date.parse(expires) <= nowMs()) return <Badge>{texts.expired}</Badge>;
  return <Badge>{texts.expiresAt(`${formats.day(expires)}, ${formats.clock(expires).slice(0, 5)}`)}</Badge>;
}
