import type { Accounts } from '../accounts.ts';
import {
  chargeCode,
  codesPerExchange,
  type Exchange,
  exchangeLimits,
  forgiveCodes,
  spentExchangeSeconds,
} from '../sign-in/exchanges.ts';
import { type InRealm, inRealm, ofAccount } from '../store/in-realm.ts';
import { chargeSecondFactor, findTotp, forgiveSecondFactor, hashRecoveryCode } from './second-factors.ts';
import { normaliseCode, totpStep } from './totp.ts';

/** A code that a caller sends with the proofs of an account. */
export interface CodeSent {
  readonly exchange: Exchange;
  readonly realm: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Keyed hashes of everything that proves the account: each contains a secret. */
  readonly proofs: readonly Buffer[];
  /** As the user typed it; empty without one. */
  readonly code: string;
}

/** An accepted code that has not created a session yet. `mark` identifies the account and the code. */
export interface Pass {
  readonly mark: Buffer;
  readonly method: 'otp' | 'recovery';
}

type TriedCode =
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'invalid'; readonly attemptsLeft: number }
  | { readonly kind: 'used' }
  | { readonly kind: 'passed'; readonly pass: Pass };

/**
 * Checks the code by the account's authenticator and its recovery codes. Each attempt is counted before the check, for the
 * account and for the exchange that the caller names. One statement finds a code unspent and spends it. The store
 * remembers it with the proof of the account.
 */
export async function tryCode(accounts: Accounts, sent: CodeSent): Promise<TriedCode> {
  const { db, now } = accounts;
  const { exchange, accountId } = sent;
  const people = inRealm(db, sent.realm);
  const left = exchange.isNamed ? await chargeCode(db, exchange.id) : codesPerExchange - 1;
  if (left === null) return { kind: 'locked', seconds: spentExchangeSeconds };
  const charged = await chargeSecondFactor(people, accountId, now());
  if ('lockedMs' in charged) return { kind: 'locked', seconds: Math.ceil(charged.lockedMs / 1000) };
  const outcome = await spendAndKeep(accounts, sent);
  if (outcome === 'invalid') return { kind: 'invalid', attemptsLeft: Math.min(left, charged.triesLeft) };
  const pass = outcome === 'used' ? await recallPass(accounts, sent) : outcome;
  if (pass === null) return { kind: 'used' };
  if (exchange.isNamed) await forgiveCodes(db, exchange.id);
  await forgiveSecondFactor(people, accountId);
  return { kind: 'passed', pass };
}

/**
 * The code with which the second factor was passed before: in the exchange that the caller names, or the same code sent
 * again with a proof of the account.
 */
export async function recallPass(accounts: Accounts, sent: CodeSent): Promise<Pass | null> {
  const { accountId, proofs, exchange } = sent;
  const nowMs = accounts.now();
  const [row] = await accounts.db.query<Pass>(
    `UPDATE auth.passed_codes SET touched = $7
     WHERE account_id = $1 AND started > $5 AND touched > $6 AND (exchange_id = $2 OR (mark = $3 AND proofs && $4))
     RETURNING mark, method`,
    [
      accountId,
      exchange.isNamed ? exchange.id : null,
      markOf(accounts, sent),
      proofs,
      new Date(nowMs - exchangeLimits.absoluteMs),
      new Date(nowMs - exchangeLimits.idleMs),
      new Date(nowMs),
    ],
  );
  return row ?? null;
}

/**
 * Spends and remembers it in one step, so that the same code at another process finds it remembered. The account's row
 * is locked first, as by an erasure: neither has to end the other.
 */
function spendAndKeep(accounts: Accounts, sent: CodeSent): Promise<Pass | 'used' | 'invalid'> {
  const { accountId, proofs, exchange, realm } = sent;
  return accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    await people.rows('SELECT FROM auth.accounts WHERE realm = $1 AND id = $2 FOR KEY SHARE', [accountId]);
    const method = await spend(accounts, people, sent);
    const mark = markOf(accounts, sent);
    if (method === 'used' || method === 'invalid') return method;
    if (mark === null) return 'invalid';
    await tx.query(
      `INSERT INTO auth.passed_codes AS p (mark, exchange_id, account_id, proofs, method, started, touched)
       VALUES ($1, $2, $3, $4, $5, $6, $6)
       ON CONFLICT (mark) DO UPDATE SET exchange_id = excluded.exchange_id, account_id = excluded.account_id,
         proofs = excluded.proofs, method = excluded.method, started = excluded.started, touched = excluded.touched`,
      [mark, exchange.id, accountId, proofs, method, new Date(accounts.now())],
    );
    return { mark, method };
  });
}

async function spend(
  accounts: Accounts,
  people: InRealm,
  { accountId, code: text }: CodeSent,
): Promise<Pass['method'] | 'used' | 'invalid'> {
  const code = normaliseCode(text);
  const now = accounts.now();
  const totp = await findTotp(people, accountId);
  const step = totp === null ? null : totpStep(accounts.box.open(totp.secret), code, now);
  if (step !== null) {
    // For one caller. Nobody can use this time step or an earlier one again.
    const spent = await people.rows(
      `UPDATE auth.totps SET last_step = $3 WHERE ${ofAccount} AND last_step < $3 RETURNING account_id`,
      [accountId, step],
    );
    return spent.length > 0 ? 'otp' : 'used';
  }
  const hash = hashRecoveryCode(accounts, accountId, code);
  const spent = await people.rows(
    `UPDATE auth.recovery_codes SET used = $4 WHERE ${ofAccount} AND hash = $3 AND used IS NULL RETURNING hash`,
    [accountId, hash, new Date(now)],
  );
  if (spent.length > 0) return 'recovery';
  const sql = `SELECT FROM auth.recovery_codes WHERE ${ofAccount} AND hash = $3`;
  return (await people.rows(sql, [accountId, hash])).length > 0 ? 'used' : 'invalid';
}

/** The stored form of a code of the account, for any spelling of it; null when none was sent. */
function markOf({ keyring }: Accounts, { keyId, realm, accountId, code: text }: CodeSent): Buffer | null {
  const code = normaliseCode(text);
  return code === '' ? null : keyring.mac('passed code', keyId, realm, accountId, code);
}
