import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { isWrongCode, type Problem, toProblem } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { showToast } from '../../components/dialogs/toasts.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { UnsentMailNote } from '../../components/states/unsent-mail-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { signInTexts } from './sign-in-texts.ts';

interface ResetFormProps {
  readonly emailAddress: string;
  readonly onDone: (emailAddress: string) => void;
}

/** Two steps: ask for the code, then set the password with it. */
export function ResetForm({ emailAddress, onDone }: ResetFormProps): ReactNode {
  const texts = useTexts(signInTexts);
  const [address, setAddress] = useState(emailAddress);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [hasCode, setHasCode] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const act = async () => {
    setProblem(null);
    try {
      if (!hasCode) {
        await call('POST /session/password-reset', { body: { emailAddress: address } });
        return setHasCode(true);
      }
      await call('PUT /session/password-reset', { body: { token: code.trim(), password } });
      showToast(texts.resetDone);
      onDone(address);
    } catch (error) {
      setProblem(toProblem(error));
    }
  };
  return (
    <Form onSubmit={() => void act()}>
      <div>
        <h2 className="text-lg font-semibold">{texts.resetTitle}</h2>
        <p className="foreign text-soft">{hasCode ? texts.resetSent(address) : texts.resetText}</p>
      </div>
      {hasCode && <UnsentMailNote />}
      {!hasCode && (
        <TextField
          label={texts.email}
          type="email"
          value={address}
          onChange={setAddress}
          autoFocus
          isRequired
        />
      )}
      {hasCode && (
        <>
          <TextField
            label={texts.resetCode}
            value={code}
            error={isWrongCode(problem) ? texts.codeWrong : null}
            onChange={setCode}
            autoFocus
            isRequired
            isMonospace
          />
          <TextField
            label={texts.newPassword}
            help={texts.newPasswordHelp}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            isRequired
          />
        </>
      )}
      {!isWrongCode(problem) && <ProblemNote problem={problem} />}
      <div className="flex flex-col gap-2">
        <Button type="submit" look="primary" className="w-full">
          {hasCode ? texts.resetSet : texts.resetSend}
        </Button>
        {!hasCode && (
          <Button look="quiet" onPress={() => setHasCode(true)}>
            {texts.resetHaveCode}
          </Button>
        )}
        <Button look="quiet" onPress={() => onDone(address)}>
          {texts.haveAccount}
        </Button>
      </div>
    </Form>
  );
}
