import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useAct } from '../../api/use-call.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/panel.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { UnsentMailLink } from '../../components/states/unsent-mail-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { AuthenticatorSecret, RecoveryCodes } from '../sign-in/authenticator.tsx';
import { signInTexts } from '../sign-in/sign-in-texts.ts';
import { accountTexts } from './account-texts.ts';

interface SecondFactorProps {
  readonly isOn: boolean;
  readonly emailAddress: string | null;
}

export function SecondFactor({ isOn, emailAddress }: SecondFactorProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [isRemoving, setRemoving] = useState(false);
  const [begun, setBegun] = useState<AnswerOf<'PUT /session/account/twofactor'> | null>(null);
  const begin = useAct('PUT /session/account/twofactor', { onDone: setBegun });
  const remove = useAct('DELETE /session/account/twofactor', {
    changes: ['GET /session/account'],
    onDone: () => showToast(texts.factorRemoved),
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
      {begun !== null && (
        <SecondFactorSetup begun={begun} emailAddress={emailAddress ?? ''} onClose={() => setBegun(null)} />
      )}
      {isRemoving && (
        <ConfirmDialog
          title={texts.factorRemove}
          name={emailAddress ?? texts.factor}
          act={remove}
          input={{}}
          onClose={() => setRemoving(false)}
        >
          {texts.factorRemoveText} {remove.error?.status === 403 && texts.recent}
        </ConfirmDialog>
      )}
    </Panel>
  );
}

/** A refusal for an old sign-in says what to do. */
function Refusal({ problem }: { readonly problem: Problem | null }): ReactNode {
  const texts = useTexts(accountTexts);
  if (problem?.status !== 403) return <ProblemNote problem={problem} />;
  return (
    <p role="alert" className="text-bad">
      {texts.recent}
    </p>
  );
}

interface SecondFactorSetupProps {
  readonly begun: AnswerOf<'PUT /session/account/twofactor'>;
  readonly emailAddress: string;
  readonly onClose: () => void;
}

/** The code of the mail, then the authenticator, then the recovery codes, which stay until they are kept. */
function SecondFactorSetup({ begun, emailAddress, onClose }: SecondFactorSetupProps): ReactNode {
  const texts = useTexts(accountTexts);
  const [shown, setShown] = useState(begun);
  const confirm = useAct('POST /session/account/twofactor', {
    changes: ['GET /session/account', 'GET /session/all'],
  });
  const { secret, qrSvg } = shown;
  const codes = confirm.data?.recoveryCodes;
  return (
    <Dialog title={texts.factor} onClose={onClose} isRequired={codes !== undefined}>
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
  const signIn = useTexts(signInTexts);
  const [code, setCode] = useState('');
  return (
    <Form onSubmit={() => confirm.mutate({ body: { twoFactorCode: code } })}>
      <p>{signIn.enrolText}</p>
      <AuthenticatorSecret secret={secret} qrSvg={qrSvg} />
      <TextField
        label={signIn.code}
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

const wrongCode = 4004;

interface MailedCodeProps {
  readonly emailAddress: string;
  /** With what to set up. */
  readonly onProven: (setup: AnswerOf<'PUT /session/account/twofactor'>) => void;
}

/** Asks for the code that was mailed to the owner of the account. */
function MailedCode({ emailAddress, onProven }: MailedCodeProps): ReactNode {
  const texts = useTexts(accountTexts);
  const signIn = useTexts(signInTexts);
  const [code, setCode] = useState('');
  const check = useAct('PUT /session/account/twofactor', {
    onDone: (setup) => {
      if (setup.secret !== null) onProven(setup);
    },
  });
  const resend = useAct('PUT /session/account/twofactor');
  const problem = check.error ?? resend.error;
  const isWrong = check.error?.code === wrongCode;
  // No code is valid any more, so the server has mailed another one.
  const isExpired = check.data !== undefined && check.data.secret === null;
  return (
    <Form
      onSubmit={() => {
        resend.reset();
        check.mutate({ body: { twoFactorCode: code } });
      }}
    >
      <div className="flex flex-col gap-1">
        <h2 className="text-lg font-semibold">{signIn.mailedTitle}</h2>
        <p>
          {texts.mailSent} <strong className="foreign font-semibold break-words">{emailAddress}</strong>
        </p>
        <p className="text-soft">{texts.mailReason}</p>
      </div>
      <UnsentMailLink isToAdministrator />
      <TextField
        label={signIn.resetCode}
        value={code}
        onChange={setCode}
        placeholder="abcd-efgh-ijkl-mnop"
        autoComplete="one-time-code"
        autoFocus
        isMonospace
        help={texts.mailCodeHelp}
        error={isWrong ? texts.mailWrong : null}
      />
      {!isWrong && <ProblemNote problem={problem} />}
      {isExpired && <Note text={texts.mailExpired} />}
      {resend.data !== undefined && <Note text={texts.mailSentAgain} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          look="quiet"
          icon="mail"
          isDisabled={resend.isPending || check.isPending}
          onPress={() => {
            check.reset();
            resend.mutate({});
          }}
        >
          {texts.mailAgain}
        </Button>
        <Button type="submit" look="primary" isDisabled={code.trim() === '' || check.isPending}>
          {signIn.next}
        </Button>
      </div>
    </Form>
  );
}

function Note({ text }: { readonly text: string }): ReactNode {
  return (
    <p role="status" className="rounded-md bg-raised px-3 py-2">
      {text}
    </p>
  );
}
