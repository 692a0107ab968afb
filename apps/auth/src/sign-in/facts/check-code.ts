import type { CodeSent, Pass } from '@tickrate/accounts';
import type { CodeFact, TokenFact } from '../../exchange/facts.ts';
import { nameOfToken } from '../../providers/provider.ts';
import type { AuthContext, SignIn } from '../sign-in.ts';

/** The proof: the platforms' answers for the request, and the account that they name. */
export interface Evident {
  readonly passwordAccount: string | null;
  readonly tokens: readonly TokenFact[];
}

export interface CheckedCode {
  readonly fact: CodeFact;
  readonly pass: Pass | null;
}

export interface SignInOf {
  readonly accountId: string;
  readonly evident: Evident;
}

/** Checks the code of the request for this account, by its authenticator or its recovery codes. */
export function createCheckCode(context: AuthContext) {
  return async (signIn: SignIn, of: SignInOf): Promise<CheckedCode> => {
    const tried = await context.accounts.codes.try(codeOf(context, signIn, of));
    if (tried.kind !== 'passed') return { fact: tried, pass: null };
    const { pass } = tried;
    return { fact: { kind: 'passed', method: pass.method }, pass };
  };
}

/** The code with which the account passed its second factor before; null without one. */
export function recallPass(context: AuthContext, signIn: SignIn, of: SignInOf): Promise<Pass | null> {
  return context.accounts.codes.recall(codeOf(context, signIn, of));
}

function codeOf(context: AuthContext, signIn: SignIn, of: SignInOf): CodeSent {
  const { exchange, realm, principal, request } = signIn;
  return {
    exchange,
    realm,
    keyId: principal.keyId,
    accountId: of.accountId,
    proofs: proofsOf(context, signIn, of),
    code: request.twoFactor?.twoFactorCode ?? '',
  };
}

/**
 * The proofs of the account in this request, each as a keyed hash: the address with its password, every token, and the
 * session whose key was sent. A caller has the same proof only after sending one of them again.
 */
function proofsOf(
  { keyring }: AuthContext,
  { credentials, principal, realm, live }: SignIn,
  { evident, accountId }: SignInOf,
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
