import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Icon } from '../../look/icon.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { SignInForm } from './sign-in-form.tsx';
import { signInTexts } from './sign-in-texts.ts';

export function SignInPage(): ReactNode {
  const texts = useTexts(signInTexts);
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => {
    document.title = `${texts.title} · Tickrate`;
  }, [texts.title]);
  return (
    <main className="flex min-h-dvh items-start justify-center p-4 pt-[14vh]">
      <div className="flex w-full max-w-[360px] flex-col gap-6">
        <div className="flex flex-col items-center gap-1 text-center">
          <Icon name="activity" size={32} className="text-accent" />
          <h1 className="text-xl font-semibold">Tickrate</h1>
          <p className="text-soft">{texts.intro}</p>
        </div>
        <div className="rounded-lg border bg-panel p-5">
          <SignInForm
            projectId={projectOf(next)}
            onDone={(projectId) => {
              client.clear();
              void (next === undefined
                ? navigate({ to: '/p/$projectId/overview', params: { projectId } })
                : navigate({ href: next }));
            }}
          />
        </div>
      </div>
    </main>
  );
}

/** Of a page that the user wanted to see before signing in. */
function projectOf(next: string | undefined): string | null {
  return /^\/p\/(p-[a-z0-9]{12})(?:[/?]|$)/.exec(next ?? '')?.[1] ?? null;
}
