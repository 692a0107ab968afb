import {
  beginEnrolment,
  chargeCode,
  endSessions,
  enrolTotp,
  findAccounts,
  forgetDevices,
  type InRealm,
  inRealm,
  type PendingEnrolment,
  passEnrolment,
} from '@tickrate/accounts';
import type { Enrolling } from '../exchange/decision.ts';
import type { EnrolmentFact } from '../exchange/facts.ts';
import { renewRecoveryCodes } from '../second-factor/renew-recovery-codes.ts';
import { newTotpSecret } from '../second-factor/totp.ts';
import { whatToSetUp } from '../second-factor/what-to-set-up.ts';
import { type CodeReader, codesPerExchange } from './check-code.ts';
import { codeMark } from './find-proofs.ts';
import type { Ground, SignIn } from './sign-in.ts';
import { SignInRaced } from './sign-in-raced.ts';

/** A second factor whose first code was good, before it is anybody's. */
export interface ProvenEnrolment {
  /** Sealed. */
  readonly secret: Buffer;
  readonly step: number;
}

export type Enrolments = ReturnType<typeof createEnrolments>;

/**
 * Second factors that are set up on the way in. The secret belongs to the exchange and the account together, and is the
 * account's only in the transaction that makes the session: until then nobody has set up anything.
 */
export function createEnrolments(ground: Ground, reader: CodeReader) {
  const { db, box, keyring, now, randomBytes } = ground;

  function markOf({ exchange }: SignIn, accountId: string | null): string {
    return keyring.mac('enrolment', exchange.id, accountId ?? '').toString('base64url');
  }

  async function labelOf({ realm, credentials }: SignIn, accountId: string | null): Promise<string> {
    const [account] = accountId === null ? [] : await findAccounts(inRealm(db, realm), [accountId]);
    return account?.email ?? credentials.email?.address ?? account?.display_name ?? accountId ?? '';
  }

  return {
    /** What to set up: the same whenever it is asked for in the exchange. */
    async begin(signIn: SignIn, { accountId }: Enrolling) {
      const sealed = box.seal(newTotpSecret(randomBytes)).toString('base64');
      const mark = markOf(signIn, accountId);
      const pending = await beginEnrolment(db, { id: signIn.exchange.id, mark, secret: sealed });
      const secret = box.open(Buffer.from(pending?.secret ?? sealed, 'base64'));
      return whatToSetUp(secret, await labelOf(signIn, accountId));
    },

    /** A code is counted before it is looked at. Once one was good the exchange knows, as it does of second factors. */
    async check(
      signIn: SignIn,
      { accountId, tryCode }: Enrolling & { readonly tryCode: boolean },
    ): Promise<{ readonly fact: EnrolmentFact; readonly proven: ProvenEnrolment | null }> {
      const mark = markOf(signIn, accountId);
      const { exchange, named, request } = signIn;
      const pending = exchange.enrolments[mark];
      if (pending === undefined) return unproven({ kind: 'waiting' });
      const isKnown = named || pending.code === codeMark(ground, signIn);
      if (pending.step !== undefined && isKnown) return provenBy(pending, pending.step);
      if (!tryCode) return unproven({ kind: 'waiting' });
      const charged = await chargeCode(db, exchange.id, codesPerExchange);
      if (charged === null) return unproven({ kind: 'locked', seconds: 600 });
      const code = reader.normaliseCode(request.twoFactor?.twoFactorCode ?? '');
      const step = reader.totpStep(box.open(Buffer.from(pending.secret, 'base64')), code, now());
      if (step === null) return unproven({ kind: 'invalid', attemptsLeft: codesPerExchange - charged });
      const passed = { ...pending, step, code: codeMark(ground, signIn) };
      await passEnrolment(db, { id: exchange.id, mark, pending: passed });
      return provenBy(pending, step);
    },

    complete: (people: InRealm, completion: Enrolled) => complete(ground, people, completion),
  };
}

interface Enrolled {
  readonly signIn: SignIn;
  readonly accountId: string;
  readonly proven: ProvenEnrolment;
}

/** Its code is spent by it. What came in without it, other sessions and remembered devices, ends. */
async function complete(
  ground: Ground,
  people: InRealm,
  { signIn, accountId, proven }: Enrolled,
): Promise<string[]> {
  const nowMs = ground.now();
  if (!(await enrolTotp(people, { accountId, ...proven, nowMs }))) throw new SignInRaced();
  await forgetDevices(people, accountId);
  const except = signIn.live?.id ?? null;
  await endSessions(people, {
    ...{ accountId, sessionId: null, except },
    reason: 'secondFactorEnrolled',
    nowMs,
  });
  return renewRecoveryCodes(ground, people, accountId);
}

function unproven(fact: EnrolmentFact) {
  return { fact, proven: null };
}

function provenBy({ secret }: PendingEnrolment, step: number) {
  return { fact: { kind: 'passed' as const }, proven: { secret: Buffer.from(secret, 'base64'), step } };
}
