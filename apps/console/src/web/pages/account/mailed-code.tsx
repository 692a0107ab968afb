import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { useAct } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { UnsentMailLink } from '../../components/states/unsent-mail-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { accountTexts } from './account-texts.ts';

const wrongCode = 4004;

interface MailedCodeProps {
  readonly emailAddress: string;
  /** With what to set up. */
  readonly onProven: (setup: AnswerOf<'PUT /session/account/twofactor'>) => void;
}

/** Asks for the code that was mailed to the owner of the account. */
export function MailedCode({ emailAddress, onProven }: MailedCodeProps): ReactNode {
  const texts = useTexts(accountTexts);
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
        <h2 className="text-lg font-semibold">{texts.mailTitle}</h2>
        <p>
          {texts.mailSent} <strong className="foreign font-semibold break-words">{emailAddress}</strong>
        </p>
        <p className="text-soft">{texts.mailReason}</p>
      </div>
      <UnsentMailLink isToAdministrator />
      <TextField
        label={texts.mailCode}
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
          {texts.mailContinue}
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
