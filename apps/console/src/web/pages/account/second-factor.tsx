import { type ReactNode, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { useAct } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuthenticatorSecret, RecoveryCodes } from '../sign-in/authenticator.tsx';
import { accountTexts } from './account-texts.ts';

interface SecondFactorProps {
  readonly isOn: boolean;
  /** Typed to confirm the removal. */
  readonly address: string;
}

export function SecondFactor({ isOn, address }: SecondFactorProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [isRemoving, setRemoving] = useState(false);
  const begin = useAct('PUT /session/account/twofactor');
  const remove = useAct('DELETE /session/account/twofactor', {
    changes: ['GET /session/account'],
    onDone: () => {
      setRemoving(false);
      showToast(texts.factorRemoved);
    },
  });
  return (
    <Panel
      title={texts.factor}
      actions={<Badge tone={isOn ? 'accent' : 'plain'}>{isOn ? texts.factorOn : texts.factorOff}</Badge>}
    >
      <div className="flex flex-col items-start gap-3">
        <p className="text-soft">{texts.factorText}</p>
        {isOn ? (
          <Button look="danger" onPress={() => setRemoving(true)}>
            {texts.factorRemove}
          </Button>
        ) : (
          <Button look="primary" isDisabled={begin.isPending} onPress={() => begin.mutate({})}>
            {texts.factorBegin}
          </Button>
        )}
        <Refusal problem={begin.error} />
      </div>
      <Dialog title={texts.factor} isOpen={begin.data !== undefined} onClose={begin.reset}>
        {begin.data !== undefined && <Confirmation begun={begin.data} onDone={begin.reset} />}
      </Dialog>
      <ConfirmDialog
        title={texts.factorRemove}
        name={address}
        action={texts.factorRemove}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate({})}
        isPending={remove.isPending}
        problem={remove.error}
      >
        {texts.factorRemoveText} {remove.error?.status === 403 && texts.recent}
      </ConfirmDialog>
    </Panel>
  );
}

/** A refusal for an old sign-in says what to do. */
function Refusal({ problem }: { readonly problem: Problem | null }): ReactNode {
  const texts = useTexts(accountTexts);
  if (problem === null) return null;
  return (
    <>
      <ProblemNote problem={problem} />
      {problem.status === 403 && <p>{texts.recent}</p>}
    </>
  );
}

interface ConfirmationProps {
  readonly begun: { readonly secret: string; readonly qrSvg: string };
  readonly onDone: () => void;
}

/** The authenticator counts from its first code on. Then the recovery codes are shown, once. */
function Confirmation({ begun, onDone }: ConfirmationProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [code, setCode] = useState('');
  const confirm = useAct('POST /session/account/twofactor', {
    changes: ['GET /session/account', 'GET /session/all'],
  });
  if (confirm.data !== undefined) return <RecoveryCodes codes={confirm.data.recoveryCodes} onKept={onDone} />;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ body: { twoFactorCode: code } });
      }}
    >
      <p>{texts.factorScan}</p>
      <AuthenticatorSecret {...begun} />
      <TextField
        label={texts.code}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        isMonospace
      />
      {confirm.error !== null && <ProblemNote problem={confirm.error} />}
      <p className="text-soft">{texts.factorWarning}</p>
      <Button type="submit" look="primary" isDisabled={code.trim() === '' || confirm.isPending}>
        {texts.factorConfirm}
      </Button>
    </form>
  );
}
