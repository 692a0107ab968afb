import type { AuthenticationResponse } from '@tickrate/contract';
import type { Refusal } from '../exchange/decision.ts';
import type { Facts } from '../exchange/facts.ts';
import { type AuthContext, type AuthenticateCall, realmOf, type SignIn } from './sign-in.ts';

/** A repeated answer: records the client address that received it. */
export async function auditRepeat(
  { accounts }: AuthContext,
  call: AuthenticateCall,
  { authenticatedSession: session }: AuthenticationResponse,
): Promise<void> {
  if (session === null) return;
  const { id: sessionId, accountId } = session;
  const actor = { ...actorOf(call), sessionId };
  await accounts.signIns.audit(realmOf(call), { actor, act: 'signInRepeated', accountId });
}

/** An attempt that failed. An attempt that was refused because there were too many is not recorded. */
export async function auditRefusal(
  { accounts }: AuthContext,
  { signIn, refusal, facts }: { readonly signIn: SignIn; readonly refusal: Refusal; readonly facts: Facts },
): Promise<void> {
  const { reason } = refusal;
  if (reason === 'tooManyAttempts') return;
  const { passwordAccount = null, tokens = [] } = facts.proofs ?? {};
  const owner = tokens.find((token) => token.status === 'accepted' && token.owner !== null)?.owner ?? null;
  await accounts.signIns.audit(signIn.realm, {
    actor: { ...actorOf(signIn), sessionId: null },
    act: 'signInRefused',
    accountId: facts.liveAccount ?? passwordAccount ?? owner,
    details: { reason, role: signIn.role },
  });
}

export function actorOf({
  principal,
  requestId,
  clientAddress,
}: Pick<SignIn, 'principal' | 'requestId' | 'clientAddress'>) {
  return { projectId: principal.projectId, requestId, clientAddress };
}
