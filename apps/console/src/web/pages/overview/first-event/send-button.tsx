import { type ReactNode, useState } from 'react';
import { type Problem, problemOf, unreachable } from '../../../api/problem.ts';
import { Button } from '../../../components/button.tsx';
import { showToast } from '../../../components/dialogs/toasts.tsx';
import { ProblemNote } from '../../../components/states/page-state.tsx';
import { useTexts } from '../../../texts/use-texts.ts';
import { overviewTexts } from '../overview-texts.ts';
import type { Sent } from './lines-of.ts';

/** Sends an event from this page to the gateway, as a web game does. Absent where the address is not known. */
export function SendButton({ sent: { gateway, key, type, sample } }: { readonly sent: Sent }): ReactNode {
  const texts = useTexts(overviewTexts);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  if (gateway === null) return null;
  // Not a mutation, which would take the refusal of this key for the end of the session.
  const send = async () => {
    setSending(true);
    try {
      const answer = await fetch(`${gateway}/v1/event/insert?eventType=${encodeURIComponent(type)}`, {
        method: 'PUT',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(sample),
      });
      setProblem(answer.ok ? null : problemOf(answer.status, await answer.text()));
      if (answer.ok) showToast(texts.testSent);
    } catch (error) {
      setProblem(unreachable(error));
    }
    setSending(false);
  };
  return (
    <>
      <Button icon="play" className="self-start" isDisabled={isSending} onPress={() => void send()}>
        {texts.sendTest}
      </Button>
      <ProblemNote problem={problem} />
    </>
  );
}
