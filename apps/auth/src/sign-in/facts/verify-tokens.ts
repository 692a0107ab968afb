import { findRememberedTokens, rememberToken } from '@tickrate/accounts';
import type {
  PresentedToken,
  ProvenIdentity,
  TokenVerdict,
  TokenVerifier,
} from '../../providers/provider.ts';
import { nameOfToken } from '../request/token-names.ts';
import { type Ground, installationRealm, type SignIn } from '../sign-in.ts';
import { createTokenChecks } from './token-checks.ts';

export interface VerifiedToken {
  readonly token: PresentedToken;
  readonly verdict: TokenVerdict;
}

const rememberedMs = 10 * 60_000;

/**
 * The verdicts of the platforms. An accepted token is remembered by a keyed hash, for this exchange and this sender,
 * because many tokens are valid for one call only. A refusal is never remembered. Concurrent requests share one call,
 * also across processes.
 */
export function createVerifyTokens(ground: Ground, verifier: TokenVerifier) {
  const askPlatforms = createAskPlatforms(ground, verifier);

  return async (signIn: SignIn): Promise<VerifiedToken[]> => {
    const { tokens } = signIn.credentials;
    // An administrator of one project's providers must not be able to confirm administrators of the installation.
    if (signIn.realm === installationRealm) {
      return tokens.map((token) => ({
        token,
        verdict: { status: 'notConfigured', detail: 'administrators' },
      }));
    }
    if (tokens.length === 0) return [];
    const hashed = new Map(tokens.map((token) => [hashOf(ground, signIn, token), token]));
    const foreign = [...hashed].filter(([, token]) => !isOurs(token)).map(([hash]) => hash);
    const known =
      foreign.length > 0 ? await recall(ground, signIn, foreign) : new Map<string, ProvenIdentity>();
    const flights = askPlatforms(signIn, new Map([...hashed].filter(([hash]) => !known.has(hash))));
    return Promise.all(
      tokens.map(async (token) => {
        const hash = hashOf(ground, signIn, token);
        const identity = known.get(hash);
        if (identity) return { token, verdict: { status: 'accepted' as const, identity } };
        const verdict = await flights.get(hash);
        if (verdict === undefined) throw new Error('A token is not being verified');
        return { token, verdict };
      }),
    );
  };
}

type Flights = ReadonlyMap<string, Promise<TokenVerdict>>;

/** Verifies together the tokens that are not being verified yet, and returns promises of all verdicts. */
function createAskPlatforms(ground: Ground, verifier: TokenVerifier) {
  const inFlight = new Map<string, Promise<TokenVerdict>>();
  return (signIn: SignIn, asked: ReadonlyMap<string, PresentedToken>): Flights => {
    const fresh = new Map([...asked].filter(([hash]) => !inFlight.has(hash)));
    const verdicts = showFresh(ground, signIn, { fresh, verify: (some) => verify(verifier, signIn, some) });
    for (const [hash, flight] of verdicts) {
      const land = () => inFlight.delete(hash);
      flight.then(land, land);
      inFlight.set(hash, flight);
    }
    return new Map([...asked.keys()].flatMap((hash) => pairOf(hash, inFlight.get(hash))));
  };
}

type Tokens = ReadonlyMap<string, PresentedToken>;
type Verdicts = ReadonlyMap<string, TokenVerdict>;

async function verify(verifier: TokenVerifier, signIn: SignIn, tokens: Tokens): Promise<Verdicts> {
  if (tokens.size === 0) return new Map();
  const verdicts = await verifier.verify(signIn.settings.providers, [...tokens.values()], signIn.realm);
  return new Map([...tokens.keys()].flatMap((hash, at) => pairOf(hash, verdicts[at])));
}

interface Showing {
  readonly fresh: Tokens;
  readonly verify: (tokens: Tokens) => Promise<Verdicts>;
}

/** Shows the tokens of this process together; waits for the results of tokens that another process shows. */
function showFresh(ground: Ground, signIn: SignIn, { fresh, verify }: Showing): Flights {
  const checks = createTokenChecks(ground, signIn);
  const foreign = [...fresh].filter(([, token]) => !isOurs(token)).map(([hash]) => hash);
  const claimed = checks.claim(foreign);
  const shown = claimed.then((mine) =>
    verify(new Map([...fresh].filter(([hash, token]) => isOurs(token) || mine.has(hash)))),
  );
  // Reports the verdict to requests that wait for it in this process; other processes do not wait.
  shown.catch(() => undefined);
  const show = async (hash: string, token: PresentedToken): Promise<TokenVerdict> => {
    if (isOurs(token)) return verdictOf(await shown, hash);
    const isMine = (await claimed).has(hash);
    const found = isMine ? null : await checks.awaitOther(hash, () => recallOne(ground, signIn, hash));
    if (found) return found;
    const verdict = verdictOf(await (isMine ? shown : verify(new Map([[hash, token]]))), hash);
    return settle(ground, signIn, { hash, verdict, release: () => checks.release(hash) });
  };
  return new Map([...fresh].map(([hash, token]) => [hash, show(hash, token)]));
}

function verdictOf(verdicts: Verdicts, hash: string): TokenVerdict {
  const verdict = verdicts.get(hash);
  if (verdict === undefined) throw new Error('A token was given no verdict');
  return verdict;
}

/** No platform is called for it, so there is nothing to remember: it stays valid. */
function isOurs({ provider }: PresentedToken): boolean {
  return provider === 'device' || provider === 'deviceTest';
}

interface Settled {
  readonly hash: string;
  readonly verdict: TokenVerdict;
  readonly release: () => Promise<void>;
}

/** Another process may have shown the same token first, and have got the platform's approval. */
async function settle(
  ground: Ground,
  signIn: SignIn,
  { hash, verdict, release }: Settled,
): Promise<TokenVerdict> {
  if (verdict.status === 'accepted') {
    await remember(ground, signIn, { hash, identity: verdict.identity });
    return verdict;
  }
  await release();
  if (verdict.status !== 'rejected' && verdict.status !== 'alreadyUsed') return verdict;
  return (await recallOne(ground, signIn, hash)) ?? verdict;
}

function pairOf<K, V>(key: K, value: V | undefined): [K, V][] {
  return value === undefined ? [] : [[key, value]];
}

function scopesOf({ keyring }: Ground, { exchange, principal, clientAddress }: SignIn): Buffer[] {
  return [
    keyring.mac('token exchange', exchange.id),
    keyring.mac('token sender', principal.keyId, clientAddress),
  ];
}

function hashOf({ keyring }: Ground, { principal }: SignIn, token: PresentedToken): string {
  return keyring.mac('token', principal.projectId, nameOfToken(token)).toString('hex');
}

async function recall(
  ground: Ground,
  signIn: SignIn,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ProvenIdentity>> {
  const rows = await findRememberedTokens(ground.db, scopesOf(ground, signIn), {
    hashes,
    nowMs: ground.now(),
  });
  return new Map(
    rows.map(({ hash, identity }) => [hash, JSON.parse(ground.box.open(identity)) as ProvenIdentity]),
  );
}

async function recallOne(ground: Ground, signIn: SignIn, hash: string): Promise<TokenVerdict | null> {
  const identity = (await recall(ground, signIn, [hash])).get(hash);
  return identity ? { status: 'accepted', identity } : null;
}

async function remember(
  ground: Ground,
  signIn: SignIn,
  { hash, identity }: { readonly hash: string; readonly identity: ProvenIdentity },
): Promise<void> {
  const sealed = ground.box.seal(JSON.stringify(identity));
  const expiresMs = ground.now() + rememberedMs;
  await rememberToken(ground.db, scopesOf(ground, signIn), { hash, identity: sealed, expiresMs });
}
