import { findPass, type Pass } from '@tickrate/accounts';
import type { TokenFact } from '../../exchange/facts.ts';
import { normaliseCode } from '../../second-factor/totp.ts';
import { exchangeLimits } from '../open-exchange.ts';
import { nameOfToken } from '../request/token-names.ts';
import type { Ground, SignIn } from '../sign-in.ts';

/** The proof: the platforms' answers for the request, and the account that they name. */
export interface Evident {
  readonly passwordAccount: string | null;
  readonly tokens: readonly TokenFact[];
}

/**
 * The proofs of the account in this request, each as a keyed hash: the address with its password, every token, and the
 * session whose key was sent. Only a caller who sends one of them again has the same proof.
 */
export function proofsOf(
  { keyring }: Ground,
  { credentials, principal, realm, live }: SignIn,
  { evident, accountId }: { readonly evident: Evident; readonly accountId: string },
): Buffer[] {
  const proof = (...parts: string[]) => keyring.mac('proof', principal.keyId, realm, ...parts);
  const proofs = evident.tokens.flatMap((fact) => {
    const token = credentials.tokens.find(
      ({ provider, index }) => provider === fact.provider && index === fact.index,
    );
    const isProof = fact.status === 'accepted' && fact.owner === accountId && token !== undefined;
    return isProof ? [proof('token', nameOfToken(token))] : [];
  });
  if (evident.passwordAccount === accountId)
    proofs.push(proof('password', credentials.email?.folded ?? '', credentials.derived ?? ''));
  if (live?.account_id === accountId && live.realm === realm) proofs.push(proof('session'));
  return proofs;
}

/** The stored form of a code of the account, for any spelling of it; null when none was sent. */
export function markOfCode({ keyring }: Ground, signIn: SignIn, accountId: string): Buffer | null {
  const { request, principal, realm } = signIn;
  const code = normaliseCode(request.twoFactor?.twoFactorCode ?? '');
  return code === '' ? null : keyring.mac('passed code', principal.keyId, realm, accountId, code);
}

export interface SignInOf {
  readonly accountId: string;
  readonly proofs: readonly Buffer[];
}

/**
 * The second factor was passed before: in the exchange that the caller names, or by the same code with the same proof.
 */
export function recallPass(
  ground: Ground,
  signIn: SignIn,
  { accountId, proofs }: SignInOf,
): Promise<Pass | null> {
  const nowMs = ground.now();
  const { exchange } = signIn;
  return findPass(ground.db, {
    accountId,
    proofs,
    nowMs,
    mark: markOfCode(ground, signIn, accountId),
    exchangeId: exchange.isNamed ? exchange.id : null,
    startedMs: nowMs - exchangeLimits.absoluteMs,
    touchedMs: nowMs - exchangeLimits.idleMs,
  });
}
