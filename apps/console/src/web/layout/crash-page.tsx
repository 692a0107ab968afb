import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Problem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { EmptyState, Failed } from '../components/states/page-state.tsx';
import { commonTexts } from '../texts/common-texts.ts';
import { useTexts } from '../texts/use-texts.ts';

/** Shown instead of a failed page. Shows the server's refusal, and never the text of an error of our own. */
export function CrashPage({ error, reset }: ErrorComponentProps): ReactNode {
  const texts = useTexts(commonTexts);
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
