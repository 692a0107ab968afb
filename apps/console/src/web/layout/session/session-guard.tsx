import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react';
import { call } from '../../api/call.ts';
import { openProject, sessionQuery } from '../../api/session.ts';
import { useProjectId } from '../../api/use-call.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialogs/dialog.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { nowMs } from '../../time/clock.ts';
import { layoutTexts } from '../layout-texts.ts';
import { setElsewhere, useSessionState } from './session-state.ts';

const loadForm = () => import('../../pages/sign-in/sign-in-form.tsx');
const SignInForm = lazy(async () => ({ default: (await loadForm()).SignInForm }));

/**
 * Over a page whose session ended or went to another project. The page and all that was typed stay below, for the account
 * that opened it. A page whose session ended cannot be read: the account may have lost the right to see it.
 */
export function SessionGuard(): ReactNode {
  const texts = useTexts(layoutTexts);
  const state = useSessionState();
  const projectId = useProjectId();
  const client = useQueryClient();
  useEffect(() => {
    // After the first page, so that the form is there even if the server is not when the session ends.
    void loadForm();
  }, []);
  const goOn = useCallback(async () => {
    setElsewhere(false);
    await client.invalidateQueries();
  }, [client]);
  const { data: session } = useQuery(sessionQuery);
  useOneAccount(session?.accountId);
  useRenewal();
  const notifyTabs = useOtherTabs(state === 'ended', goOn);
  const resume = async (reached = projectId) => {
    // A former member continues in another project.
    if (reached !== projectId) return location.assign(`/p/${reached}/overview`);
    await openProject(projectId);
    notifyTabs();
    await goOn();
  };
  return (
    <>
      <Dialog
        isRequired
        isCovering
        title={texts.endedTitle}
        isOpen={state === 'ended'}
        onClose={() => undefined}
      >
        <p className="text-soft">{texts.endedText}</p>
        {session?.amr.includes('link') && <p className="text-soft">{texts.endedOfLink}</p>}
        <Suspense>
          <SignInForm isAgain projectId={projectId} onDone={(reached) => void resume(reached)} />
        </Suspense>
      </Dialog>
      <Dialog
        isRequired
        title={texts.otherProjectTitle}
        isOpen={state === 'elsewhere'}
        onClose={() => undefined}
      >
        <p>{texts.otherProjectText}</p>
        <DialogActions>
          <Button look="primary" onPress={() => void resume()}>
            {texts.otherProjectBack}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** After a sign-in as another account, here or in another tab, the page starts anew: it holds what the first one saw and typed. */
function useOneAccount(accountId: string | undefined): void {
  const opened = useRef(accountId);
  useEffect(() => {
    opened.current ??= accountId;
    if (accountId !== undefined && accountId !== opened.current) location.reload();
  }, [accountId]);
}

const renewEveryMs = 10 * 60_000;

/** A session ends an hour after its last renewal: not while the page is used, and soon after nobody does. */
function useRenewal(): void {
  useEffect(() => {
    let renewedMs = Number.NEGATIVE_INFINITY;
    const renew = () => {
      if (nowMs() - renewedMs < renewEveryMs) return;
      renewedMs = nowMs();
      // If the session has ended, the next call of the page shows it.
      call('POST /session').catch(() => undefined);
    };
    const uses = ['pointerdown', 'keydown', 'wheel'];
    for (const use of uses) addEventListener(use, renew, { passive: true });
    return () => {
      for (const use of uses) removeEventListener(use, renew);
    };
  }, []);
}

/** The tabs of a browser share the session: after a sign-in in one of them, the others continue. Returns the call that signals them. */
function useOtherTabs(isWaiting: boolean, goOn: () => Promise<void>): () => void {
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const opened = new BroadcastChannel('tickrate session');
    channel.current = opened;
    return () => opened.close();
  }, []);
  useEffect(() => {
    const { current } = channel;
    if (current === null || !isWaiting) return;
    const onMessage = () => void goOn();
    current.addEventListener('message', onMessage);
    return () => current.removeEventListener('message', onMessage);
  }, [isWaiting, goOn]);
  return () => channel.current?.postMessage('signed in');
}
