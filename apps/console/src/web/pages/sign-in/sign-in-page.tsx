import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { type Problem, toProblem } from '../../api/problem.ts';
import { ProblemNote } from '../../components/states/problem-note.tsx';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { SignInForm } from './sign-in-form.tsx';
import { signInTexts } from './sign-in-texts.ts';

export function SignInPage(): ReactNode {
  const texts = useTexts(signInTexts);
  const { next, invited, project, role } = useSearch({ from: '/sign-in' });
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
    document.title = `${texts.title} · Tickrate`;
  }, [texts.title]);
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
          {link.problem?.reason === 'tokenInvalid' && (
            <p role="alert" className="rounded-md border border-bad px-3 py-2">
              {texts.unavailableToken}
            </p>
          )}
          {link.problem !== null && link.problem.reason !== 'tokenInvalid' && (
            <ProblemNote problem={link.problem} />
          )}
          {link.isOpening ? (
            <p role="status">{texts.opening}</p>
          ) : (
            <SignInForm projectId={projectOf(next)} invited={invited} onDone={enter} />
          )}
        </div>
      </div>
    </main>
  );
}

/** Of a page that the user wanted to see before signing in. */
function projectOf(next: string | undefined): string | null {
  return /^\/p\/(p-[a-z0-9]{12})(?:[/?]|$)/.exec(next ?? '')?.[1] ?? null;
}

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

// React runs effects twice in development, and a link opens once.
let usedToken: string | null = null;
