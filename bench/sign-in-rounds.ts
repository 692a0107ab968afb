import { randomBytes } from 'node:crypto';
import { type Round, takeRounds } from './bench.ts';
import type { BareRate } from './replay-statements.ts';
import type { SignInProcess } from './sign-in-process.ts';

const warmupMs = 2_000;
const measureMs = 2_500;

/** Each player signs in repeatedly, one sign-in at a time. The reference is measured between the rounds. */
export async function takeSignInRounds(given: {
  readonly auth: SignInProcess;
  /** The credentials of each player. */
  readonly credentials: readonly object[];
  readonly rounds: number;
  readonly report: (line: string) => void;
  /** The reference, in the same unit. */
  readonly bare: (measureMs: number) => Promise<BareRate>;
}): Promise<Round[]> {
  const { auth, credentials, report } = given;
  await signInsASecond(auth, credentials, warmupMs);
  return takeRounds(given.rounds, async (round) => {
    const begun = auth.cpuTimes();
    const bare = await given.bare(measureMs);
    const between = auth.cpuTimes();
    const { perSecond: value, count } = await signInsASecond(auth, credentials, measureMs);
    const ended = auth.cpuTimes();
    const bareCount = (bare.perSecond * measureMs) / 1_000;
    const each = (ms: number, of: number) => `${(ms / of).toFixed(2)} ms`;
    report(
      [
        `round ${round}: ${value.toFixed(1)} sign-ins/s, bare ${bare.perSecond.toFixed(1)}/s`,
        `CPU a sign-in ${each(ended[0] - between[0], count)} + Postgres ${each(ended[1] - between[1], count)}`,
        `bare ${each(bare.cpuMs, bareCount)} + Postgres ${each(between[1] - begun[1], bareCount)}`,
      ].join('; '),
    );
    return { value, limit: bare.perSecond };
  });
}

async function signInsASecond(
  auth: SignInProcess,
  credentials: readonly object[],
  forMs: number,
): Promise<{ readonly perSecond: number; readonly count: number }> {
  const started = performance.now();
  let count = 0;
  const signInAgain = async (mine: object) => {
    while (performance.now() - started < forMs) {
      await signIn(auth, mine);
      count++;
    }
  };
  await Promise.all(credentials.map(signInAgain));
  return { perSecond: count / ((performance.now() - started) / 1000), count };
}

/** A different request each time: identical requests return the same session. */
export async function signIn(auth: SignInProcess, credentials: object): Promise<void> {
  const twoFactor = { deviceIdentifierFriendlyName: `sign-in ${randomBytes(8).toString('hex')}` };
  const answer = await auth.send('PUT', 'authenticate', { ...credentials, twoFactor });
  const { authenticatedSession } = answer as { readonly authenticatedSession: object | null };
  if (authenticatedSession === null) throw new Error('A sign-in gave no session');
}
