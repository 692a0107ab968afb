import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuthenticatorSecret, RecoveryCodes } from '../sign-in/authenticator.tsx';
import { accountTexts } from './account-texts.ts';
import { MailedCode } from './mailed-code.tsx';

interface SecondFactorSetupProps {
  readonly begun: AnswerOf<'PUT /session/account/twofactor'>;
  readonly emailAddress: string;
  readonly onClose: () => void;
}

/** The code of the mail, then the authenticator, then the recovery codes, which stay until they are kept. */
export function SecondFactorSetup({ begun, emailAddress, onClose }: SecondFactorSetupProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [shown, setShown] = useState(begun);
  const confirm = useAct('POST /session/account/twofactor', {
    changes: ['GET /session/account', 'GET /session/all'],
  });
  const { secret, qrSvg } = shown;
  const codes = confirm.data?.recoveryCodes;
  return (
    <Dialog title={texts.factor} isOpen onClose={onClose} isRequired={codes !== undefined}>
      {codes !== undefined && <RecoveryCodes codes={codes} onKept={onClose} />}
      {codes === undefined && (secret === null || qrSvg === null) && (
        <MailedCode emailAddress={emailAddress} onProven={setShown} />
      )}
      {codes === undefined && secret !== null && qrSvg !== null && (
        <Authenticator secret={secret} qrSvg={qrSvg} confirm={confirm} />
      )}
    </Dialog>
  );
}

interface AuthenticatorProps {
  readonly secret: string;
  readonly qrSvg: string;
  readonly confirm: ReturnType<typeof useAct<'POST /session/account/twofactor'>>;
}

/** The authenticator counts from its first code on. */
function Authenticator({ secret, qrSvg, confirm }: AuthenticatorProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [code, setCode] = useState('');
  return (
    <Form onSubmit={() => confirm.mutate({ body: { twoFactorCode: code } })}>
      <p>{texts.factorScan}</p>
      <AuthenticatorSecret secret={secret} qrSvg={qrSvg} />
      <TextField
        label={texts.code}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        isMonospace
      />
      <ProblemNote problem={confirm.error} />
      <p className="text-soft">{texts.factorWarning}</p>
      <Button type="submit" look="primary" isDisabled={code.trim() === '' || confirm.isPending}>
        {texts.factorConfirm}
      </Button>
    </Form>
  );
}
