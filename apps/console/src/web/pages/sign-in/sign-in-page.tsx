import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { ProblemNote } from '../../components/states/page-state.tsx';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import {
  endVisit,
  type ProviderReturn,
  type ProviderToken,
  readReturn,
  redeemCode,
} from './provider-visit.ts';
import { SignInForm } from './sign-in-form.tsx';
import { signInTexts } from './sign-in-texts.ts';

export function SignInPage(): ReactNode {
  const texts = useTexts(signInTexts);
  const { invited, project, role, ...search } = useSearch({ from: '/sign-in' });
  const provider = useProviderReturn();
  const next = provider.next ?? search.next;
  const navigate = useNavigate();
  const client = useQueryClient();
  const enter = (projectId: string) => {
    client.clear();
    // A former member may choose another project than the one of the page.
    void (next === undefined || (projectOf(next) ?? projectId) !== projectId
      ? navigate({ to: '/p/$projectId/overview', params: { projectId } })
      : navigate({ href: next }));
  };
  const link = useLink(enter);
  useEffect(() => {
    document.title = `${texts.signIn} · Tickrate`;
  }, [texts.signIn]);
  return (
    <main className="flex min-h-dvh items-start justify-center p-4 pt-[14vh]">
      <div className="flex w-full max-w-[360px] flex-col gap-6">
        <div className="flex flex-col items-center gap-1 text-center">
          <Icon name="activity" size={32} className="text-accent" />
          <h1 className="text-xl font-semibold">Tickrate</h1>
          <p className="text-soft">
            {project === undefined || role === undefined ? texts.intro : texts.invited(project, role)}
          </p>
        </div>
        <div className="flex flex-col gap-4 rounded-lg border bg-panel p-5">
          {provider.returned?.kind === 'unknown' && <Refused text={texts.returnUnknown} />}
          {provider.returned?.kind === 'refused' && (
            <Refused text={texts.returnRefused(provider.returned.error)} />
          )}
          <ProblemNote problem={provider.problem} />
          {link.problem?.reason === 'tokenInvalid' && <Refused text={texts.unavailableToken} />}
          {link.problem?.reason !== 'tokenInvalid' && <ProblemNote problem={link.problem} />}
          {link.isOpening || provider.isOpening ? (
            <p role="status">{texts.opening}</p>
          ) : (
            <SignInForm projectId={projectOf(next)} invited={invited} token={provider.token} onDone={enter} />
          )}
        </div>
      </div>
    </main>
  );
}

function Refused({ text }: { readonly text: string }): ReactNode {
  return (
    <p role="alert" className="foreign rounded-md border border-bad px-3 py-2">
      {text}
    </p>
  );
}

/** Of a page that the user wanted to see before signing in. */
function projectOf(next: string | undefined): string | null {
  return /^\/p\/(p-[a-z0-9]{12})(?:[/?]|$)/.exec(next ?? '')?.[1] ?? null;
}

/** Exchanges the code of a return for the token that the form sends. */
function useProviderReturn() {
  const [returned] = useState(readReturn);
  const [token, setToken] = useState<ProviderToken | undefined>();
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (returned === null || returned === usedReturn) return;
    usedReturn = returned;
    endVisit();
    if (returned.kind !== 'code') return;
    redeemCode(returned).then(setToken, (error: unknown) => setProblem(toProblem(error)));
  });
  const isOpening = returned?.kind === 'code' && token === undefined && problem === null;
  const next = returned?.kind === 'code' ? returned.visit.next : undefined;
  return { returned, token, problem, isOpening, next };
}

let usedReturn: ProviderReturn | null = null;

/** Signs in with a link of `npm start`. The token is taken out of the address before it is used: it is valid once. */
function useLink(onDone: (projectId: string) => void) {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('link'));
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (token === null || token === usedToken) return;
    usedToken = token;
    history.replaceState(history.state, '', location.pathname + location.search);
    call('POST /session/link', { body: { token } }).then(
      ({ projectId }) => onDone(projectId),
      (error: unknown) => setProblem(toProblem(error)),
    );
  });
  return { isOpening: token !== null && problem === null, problem };
}

// React runs effects twice in development, and a link or a return is valid once.
let usedToken: string | null = null;
