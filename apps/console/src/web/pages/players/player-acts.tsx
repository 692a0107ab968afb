import { type ReactNode, useState } from 'react';
import { type AnswerOf, callForAnswer } from '../../api/call.ts';
import { useAct, useProjectId } from '../../api/use-call.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog, DialogEnd } from '../../components/dialogs/dialog.tsx';
import { MenuButton } from '../../components/dialogs/menu-button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { WallTimeField } from '../../components/fields/wall-time-field.tsx';
import { Form } from '../../components/form.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { useDownload } from '../../export/download.ts';
import { useTime } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { fromWallTime } from '../../time/wall-time.ts';
import { playersTexts } from './players-texts.ts';

type Player = AnswerOf<'GET /v1/players/{accountId}'>;
const changes = [
  'GET /v1/players/{accountId}',
  'GET /v1/players',
  'GET /v1/players/{accountId}/sessions',
] as const;

/** Ban, second factor, export. Erasure has a part of its own. */
export function PlayerActs({ player }: { readonly player: Player }): ReactNode {
  const texts = useTexts(playersTexts);
  const projectId = useProjectId();
  const [open, setOpen] = useState<'ban' | 'factor' | null>(null);
  const close = () => setOpen(null);
  const params = { accountId: player.id };
  const unban = useAct('DELETE /v1/players/{accountId}/ban', { changes });
  const factor = useAct('DELETE /v1/players/{accountId}/second-factor', {
    changes,
    onDone: () => showToast(texts.secondFactorDone),
  });
  const exportAll = useDownload(`${player.id}.ndjson`, () =>
    callForAnswer('POST /v1/players/{accountId}/export', { params, projectId }),
  );
  const error = unban.error ?? exportAll.error;
  return (
    <>
      <ProblemNote problem={error} />
      {player.state === 'banned' ? (
        <Button needs="players:write" onPress={() => unban.mutate({ params })}>
          {texts.unban}
        </Button>
      ) : (
        <Button look="danger" icon="ban" needs="players:write" onPress={() => setOpen('ban')}>
          {texts.ban}
        </Button>
      )}
      <MenuButton
        label={texts.more}
        entries={[
          { label: texts.export, icon: 'download', onSelect: () => exportAll.mutate() },
          {
            label: texts.secondFactor,
            icon: 'lock',
            disabled: !player.hasSecondFactor,
            onSelect: () => setOpen('factor'),
          },
        ]}
      >
        <IconButton look="plain" icon="ellipsis" needs="players:write" label={texts.more} />
      </MenuButton>
      <BanDialog player={player} isOpen={open === 'ban'} onClose={close} />
      {open === 'factor' && (
        <ConfirmDialog
          title={texts.secondFactor}
          name={player.displayName ?? player.id}
          act={factor}
          input={{ params }}
          onClose={close}
        >
          {texts.secondFactorText}
        </ConfirmDialog>
      )}
    </>
  );
}

interface BanDialogProps {
  readonly player: Player;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function BanDialog({ player, isOpen, onClose }: BanDialogProps): ReactNode {
  const texts = useTexts(playersTexts);
  const { zone } = useTime();
  const [reason, setReason] = useState('');
  const [expires, setExpires] = useState('');
  const ban = useAct('PUT /v1/players/{accountId}/ban', { changes, onDone: onClose });
  return (
    <Dialog title={texts.banTitle} isOpen={isOpen} onClose={onClose}>
      <Form
        onSubmit={() => {
          const until = expires === '' ? null : new Date(fromWallTime(expires, zone)).toISOString();
          ban.mutate({
            params: { accountId: player.id },
            body: { version: player.version, reason, expires: until },
          });
        }}
      >
        <TextField label={texts.banReason} value={reason} onChange={setReason} isRequired autoFocus />
        <WallTimeField label={texts.banExpires(zone)} value={expires} onChange={setExpires} />
        <DialogEnd action={texts.ban} look="danger" act={ban} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
