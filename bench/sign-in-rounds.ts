import { randomBytes } from 'node:crypto';
import type { Round } from './bench.ts';
import type { SignInProcess } from './sign-in-process.ts';

const warmupMs = 2_000;
const measureMs = 2_500;

export interface SignInRounds {
  readonly auth: SignInProcess;
  /** What each of the players signs in with. */
  readonly credentials: readonly object[];
  readonly rounds: number;
  readonly report: (line: string) => void;
  /** What it is held against, in the same unit. */
  readonly bare: (measureMs: number) => Promise<number>;
}

/** Each of the players signs in again and again, one time after the other; between the rounds the bare measure is taken. */
export async function takeSignInRounds(given: SignInRounds): Promise<Round[]> {
  const { auth, credentials, report } = given;
  await signInsASecond(auth, credentials, warmupMs);
  const taken: Round[] = [];
  for (let round = 1; round <= given.rounds; round++) {
    const limit = await given.bare(measureMs);
    const before = auth.cpuTimes();
    const started = performance.now();
    const value = await signInsASecond(auth, credentials, measureMs);
    const signIns = (value * (performance.now() - started)) / 1000;
    const [ours, postgres] = auth.cpuTimes().map((ms, at) => ((ms - (before[at] ?? 0)) / signIns).toFixed(2));
    report(
      `round ${round}: ${value.toFixed(1)} sign-ins/s, bare ${limit.toFixed(1)}/s; CPU a sign-in ${ours} ms, Postgres ${postgres} ms`,
    );
    taken.push({ value, limit });
  }
  return taken;
}

async function signInsASecond(
  auth: SignInProcess,
  credentials: readonly object[],
  forMs: number,
): Promise<number> {
  const started = performance.now();
  let signIns = 0;
  const signInAgain = async (mine: object) => {
    while (performance.now() - started < forMs) {
      await signIn(auth, mine);
      signIns++;
    }
  };
  await Promise.all(credentials.map(signInAgain));
  return signIns / ((performance.now() - started) / 1000);
}

/** What differs makes each a sign-in of its own: the same request would be answered with the same session. */
export async function signIn(auth: SignInProcess, credentials: object): Promise<void> {
  const twoFactor = { deviceIdentifierFriendlyName: `sign-in ${randomBytes(8).toString('hex')}` };
  const answer = await auth.send('PUT', 'authenticate', { ...credentials, twoFactor });
  const { authenticatedSession } = answer as { readonly authenticatedSession: object | null };
  if (authenticatedSession === null) throw new Error('A sign-in gave no session');
}
