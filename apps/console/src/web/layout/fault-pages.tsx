import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { isForbidden, Problem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, Failed } from '../components/states/page-state.tsx';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';

/** Shown instead of a failed page. Shows the server's refusal, and never the text of an error of our own. */
export function CrashPage({ error, reset }: ErrorComponentProps): ReactNode {
  const texts = useTexts(commonTexts);
  if (isForbidden(error)) {
    return (
      <EmptyState icon="lock" title={texts.noProjectTitle} text={texts.noProjectAdvice}>
        {/* A new page: the session of this one is in no project that it can show. */}
        <a href="/" className="text-accent underline">
          {texts.noProjectAction}
        </a>
      </EmptyState>
    );
  }
  if (error instanceof Problem) {
    return (
      <EmptyState icon="circle-alert" title={texts.failedTitle}>
        <Failed error={error} onRetry={reset} />
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="circle-alert" title={texts.crashTitle} text={texts.crashAdvice}>
      <Button look="primary" icon="refresh-cw" onPress={() => location.reload()}>
        {texts.reload}
      </Button>
    </EmptyState>
  );
}

export function NotFoundPage(): ReactNode {
  const texts = useTexts(commonTexts);
  useEffect(() => {
    document.title = `${texts.notFoundTitle} · Tickrate`;
  }, [texts.notFoundTitle]);
  return (
    <EmptyState icon="compass" title={texts.notFoundTitle} text={texts.notFoundAdvice}>
      <Link to="/" className="text-accent underline">
        {texts.notFoundAction}
      </Link>
    </EmptyState>
  );
}
