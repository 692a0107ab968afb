import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isWrongCode, type Problem, toProblem } from '../../api/problem.ts';
import { providerQuery } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CheckField } from '../../components/fields/check-field.tsx';
import { TextField } from '../../components/fields/text-field.tsx';
import { Form } from '../../components/form.tsx';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { UnsentMailNote } from '../../components/states/unsent-mail-note.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { valueTexts } from '../../texts/value-texts.ts';
import { AuthenticatorSecret, RecoveryCodes } from './authenticator.tsx';
import { visitProvider } from './provider-visit.ts';
import { ResetForm } from './reset-form.tsx';
import { signInTexts } from './sign-in-texts.ts';
import { type SignIn, type SignInOptions, useSignIn } from './use-sign-in.ts';

/** Every state of the exchange of an administrator. */
export function SignInForm(options: SignInOptions): ReactNode {
  const signIn = useSignIn(options);
  const [isResetting, setResetting] = useState(false);
  const { data: provider, isPending } = useQuery(providerQuery);
  const { draft, step } = signIn;
  if (isResetting) {
    return (
      <ResetForm
        emailAddress={draft.emailAddress}
        onDone={(emailAddress) => {
          signIn.change({ emailAddress, password: '' });
          setResetting(false);
        }}
      />
    );
  }
  if (signIn.isNoMember) return <NoMember signIn={signIn} />;
  if (step.kind === 'recoveryCodes')
    return <RecoveryCodes codes={step.codes} onKept={() => options.onDone(step.projectId)} />;
  if (step.kind === 'project') return <ProjectChoice signIn={signIn} projects={step.projects} />;
  if (step.kind === 'credentials' && draft.token !== null) return <ByToken signIn={signIn} />;
  if (step.kind === 'credentials' && isPending) return null;
  const name = step.kind === 'credentials' && !draft.isRegistering ? (provider?.name ?? null) : null;
  if (name !== null && provider?.only === true) return <ProviderButton name={name} isOnly />;
  return (
    <Form onSubmit={() => void signIn.send()}>
      {name !== null && <ProviderButton name={name} isOnly={false} />}
      <StepFields signIn={signIn} onForgotten={() => setResetting(true)} />
      {!isWrongCode(signIn.problem) && <ProblemNote problem={signIn.problem} />}
      <StepActions signIn={signIn} canRegister={options.isAgain !== true} />
    </Form>
  );
}

/** The provider has signed the user in: the form sends its token without the user. */
function ByToken({ signIn: { problem, restart } }: { readonly signIn: SignIn }): ReactNode {
  const texts = useTexts(signInTexts);
  if (problem === null) return <p role="status">{texts.opening}</p>;
  return (
    <div className="flex flex-col gap-4">
      <ProblemNote problem={problem} />
      <Button look="quiet" onPress={restart}>
        {texts.resend}
      </Button>
    </div>
  );
}

function ProviderButton({ name, isOnly }: { readonly name: string; readonly isOnly: boolean }): ReactNode {
  const texts = useTexts(signInTexts);
  const [problem, setProblem] = useState<Problem | null>(null);
  const visit = () => {
    setProblem(null);
    visitProvider().catch((error: unknown) => setProblem(toProblem(error)));
  };
  return (
    <div className="flex flex-col gap-3">
      <Button look={isOnly ? 'primary' : 'plain'} className="w-full" onPress={visit}>
        <span className="foreign truncate">{texts.signInWith(name)}</span>
      </Button>
      <ProblemNote problem={problem} />
      {!isOnly && <p className="text-center text-sm text-soft">{texts.or}</p>}
    </div>
  );
}

interface FieldsProps {
  readonly signIn: SignIn;
  readonly onForgotten: () => void;
}

function StepFields({ signIn, onForgotten }: FieldsProps): ReactNode {
  const { step, draft } = signIn;
  const texts = useTexts(signInTexts);
  if (step.kind === 'credentials') return <Credentials signIn={signIn} onForgotten={onForgotten} />;
  const explained = {
    code: [texts.factor, texts.codeText],
    mailedCode: [texts.mailedTitle, texts.mailedText(draft.emailAddress)],
    verify: [texts.verifyTitle, texts.verifyText(draft.emailAddress)],
    enrol: [texts.enrolTitle, texts.enrolText],
  } as const;
  if (!(step.kind in explained)) return null;
  const [title, text] = explained[step.kind as keyof typeof explained];
  return (
    <>
      <div>
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="foreign text-soft">{text}</p>
      </div>
      {(step.kind === 'verify' || step.kind === 'mailedCode') && <UnsentMailNote />}
      {step.kind === 'enrol' && <AuthenticatorSecret secret={step.secret} qrSvg={step.qrSvg} />}
      <TextField
        key={step.kind}
        label={texts.code}
        value={draft.code}
        error={isWrongCode(signIn.problem) ? texts.codeWrong : null}
        onChange={(code) => signIn.change({ code })}
        autoComplete="one-time-code"
        inputMode={step.kind === 'verify' || step.kind === 'mailedCode' ? 'text' : 'numeric'}
        autoFocus
        isRequired
        isMonospace
      />
      {step.kind === 'code' && (
        <CheckField
          label={texts.trust}
          help={texts.trustHelp}
          isChecked={draft.trustThisDevice}
          onChange={(trustThisDevice) => signIn.change({ trustThisDevice })}
        />
      )}
    </>
  );
}

function Credentials({ signIn, onForgotten }: FieldsProps): ReactNode {
  const texts = useTexts(signInTexts);
  const { emailAddress, password, isRegistering } = signIn.draft;
  return (
    <>
      {isRegistering && <p className="text-soft">{texts.registerText}</p>}
      <TextField
        label={texts.email}
        type="email"
        name="username"
        value={emailAddress}
        onChange={(value) => signIn.change({ emailAddress: value })}
        autoComplete="username"
        autoFocus
        isRequired
      />
      <TextField
        label={isRegistering ? texts.newPassword : texts.password}
        type="password"
        name="password"
        value={password}
        onChange={(value) => signIn.change({ password: value })}
        autoComplete={isRegistering ? 'new-password' : 'current-password'}
        isRequired
        {...(isRegistering && { help: texts.newPasswordHelp })}
      />
      {!isRegistering && (
        <Button look="link" className="-mt-2 self-start" onPress={onForgotten}>
          {texts.forgotten}
        </Button>
      )}
    </>
  );
}

function StepActions({
  signIn,
  canRegister,
}: {
  readonly signIn: SignIn;
  readonly canRegister: boolean;
}): ReactNode {
  const texts = useTexts(signInTexts);
  const { step, draft, isPending } = signIn;
  const isFirst = step.kind === 'credentials';
  const isRegistering = isFirst && draft.isRegistering;
  return (
    <div className="flex flex-col gap-2">
      <Button type="submit" look="primary" isDisabled={isPending} className="w-full">
        {isFirst ? texts[isRegistering ? 'register' : 'signIn'] : texts.next}
      </Button>
      {isFirst && canRegister && (
        <Button
          look="quiet"
          className="w-full"
          onPress={() => signIn.change({ isRegistering: !draft.isRegistering })}
        >
          {isRegistering ? texts.haveAccount : texts.register}
        </Button>
      )}
      {!isFirst && (
        <Button look="quiet" className="w-full" onPress={signIn.restart}>
          {texts.resend}
        </Button>
      )}
    </div>
  );
}

/** For an account that signed in, but may see no page of the project. */
function NoMember({ signIn }: { readonly signIn: SignIn }): ReactNode {
  const texts = useTexts(signInTexts);
  const hasChoice = signIn.draft.projectId !== null;
  return (
    <div className="flex flex-col gap-4">
      <div role="alert">
        <h2 className="text-lg font-semibold">{hasChoice ? texts.notMemberTitle : texts.noProjectTitle}</h2>
        <p className="text-soft">{hasChoice ? texts.notMemberText : texts.noProjectText}</p>
      </div>
      {hasChoice && (
        <Button
          look="primary"
          isDisabled={signIn.isPending}
          onPress={() => void signIn.send({ projectId: null })}
        >
          {texts.otherProjects}
        </Button>
      )}
      <Button look="quiet" onPress={signIn.restart}>
        {texts.resend}
      </Button>
    </div>
  );
}

interface ProjectChoiceProps {
  readonly signIn: SignIn;
  readonly projects: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

function ProjectChoice({ signIn, projects }: ProjectChoiceProps): ReactNode {
  const texts = useTexts(signInTexts);
  const values = useTexts(valueTexts);
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{texts.projectTitle}</h2>
      <ul className="flex max-h-96 flex-col gap-1 overflow-auto">
        {projects.map(({ id, name, role }) => (
          <li key={id}>
            <Button
              className="w-full justify-between"
              isDisabled={signIn.isPending}
              onPress={() => void signIn.send({ projectId: id })}
            >
              <span className="foreign truncate">{name}</span>
              <span className="text-sm font-normal text-soft">{values.role(role)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ProblemNote problem={signIn.problem} />
    </div>
  );
}
