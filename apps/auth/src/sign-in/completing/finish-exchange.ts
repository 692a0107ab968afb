import { completeExchange, keepAnswer, type Pass, type Queryable, spendPasses } from '@tickrate/accounts';
import type { AuthenticationResponse } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import type { Facts } from '../../exchange/facts.ts';
import { isProvenBySecret } from '../request/fingerprint.ts';
import { type Ground, repeatableMs, type SignIn } from '../sign-in.ts';
import { AnsweredMeanwhile } from '../sign-in-raced.ts';

interface Ending {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly passes: ReadonlyMap<string, Pass>;
}

/** Runs first: of several requests with one exchange or one code, one creates the session. */
export async function endExchange(
  { now }: Ground,
  tx: Queryable,
  { signIn, plan, passes }: Ending,
): Promise<void> {
  const accounts = [plan.accountId, ...plan.move.map(({ from }) => from)];
  const marks = [...passes].flatMap(([accountId, { mark }]) => (accounts.includes(accountId) ? [mark] : []));
  if (!(await spendPasses(tx, marks))) throw new AnsweredMeanwhile();
  const { exchange } = signIn;
  if (exchange.isNamed && !(await completeExchange(tx, exchange.id, now()))) throw new AnsweredMeanwhile();
}

interface Kept {
  readonly signIn: SignIn;
  readonly plan: Plan;
  readonly facts: Facts;
  readonly answer: AuthenticationResponse;
}

/** A lost reply can be requested again. Nothing is stored that a caller without the secret could request. */
export async function keepForRepeats(
  { box, now }: Ground,
  tx: Queryable,
  { signIn: { fingerprint }, plan, facts, answer }: Kept,
): Promise<boolean> {
  const session = answer.authenticatedSession;
  if (fingerprint === null || session === null) return false;
  if (fingerprint.by === 'credentials' && !isProvenBySecret(plan, facts)) return false;
  const nowMs = now();
  const sealed = box.seal(JSON.stringify(answer));
  const kept = {
    fingerprint: fingerprint.hash,
    answer: sealed,
    sessionId: session.id,
    accountId: session.accountId,
  };
  if (!(await keepAnswer(tx, { ...kept, nowMs, sinceMs: nowMs - repeatableMs })))
    throw new AnsweredMeanwhile();
  return true;
}
