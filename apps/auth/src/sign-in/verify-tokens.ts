import { findRememberedTokens, rememberToken } from '@tickrate/accounts';
import type { PresentedToken, ProvenIdentity, TokenVerdict, TokenVerifier } from '../providers/provider.ts';
import { type Ground, installationRealm, type SignIn } from './sign-in.ts';

export interface VerifiedToken {
  readonly token: PresentedToken;
  readonly verdict: TokenVerdict;
}

const rememberedMs = 10 * 60_000;

/**
 * What the platforms say of the tokens. One that was accepted is remembered, by a keyed hash, for this exchange and for
 * this sender, since many are good for one call only; a refusal is never remembered. Sends at once share one call.
 */
export function createVerifyTokens(ground: Ground, verifier: TokenVerifier) {
  const askPlatforms = createAskPlatforms(ground, verifier);

  return async (signIn: SignIn): Promise<VerifiedToken[]> => {
    const { tokens } = signIn.credentials;
    // Whoever configures the providers of one project must not become able to vouch for administrators.
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

/** Verifies together what nobody verifies yet, and gives the verdicts to come of all that was asked. */
function createAskPlatforms(ground: Ground, verifier: TokenVerifier) {
  const inFlight = new Map<string, Promise<TokenVerdict>>();
  return (signIn: SignIn, asked: ReadonlyMap<string, PresentedToken>): Flights => {
    const fresh = [...asked].filter(([hash]) => !inFlight.has(hash));
    const tokens = fresh.map(([, token]) => token);
    const verdicts =
      tokens.length > 0
        ? verifier.verify(signIn.settings.providers, tokens, signIn.realm)
        : Promise.resolve([]);
    for (const [at, [hash]] of fresh.entries()) {
      const flight = verdicts.then(async (all) => {
        const verdict = all[at];
        if (verdict === undefined) throw new Error('A token was given no verdict');
        const token = tokens[at];
        return token && !isOurs(token) ? shared(ground, signIn, { hash, verdict }) : verdict;
      });
      const land = () => inFlight.delete(hash);
      flight.then(land, land);
      inFlight.set(hash, flight);
    }
    return new Map([...asked.keys()].flatMap((hash) => pairOf(hash, inFlight.get(hash))));
  };
}

/** No platform is asked about it, so that there is nothing to remember: it is as good the next time. */
function isOurs({ provider }: PresentedToken): boolean {
  return provider === 'device' || provider === 'deviceTest';
}

/** Another process may have shown the same token at the same time, and been the one whom the platform believed. */
async function shared(
  ground: Ground,
  signIn: SignIn,
  { hash, verdict }: { readonly hash: string; readonly verdict: TokenVerdict },
): Promise<TokenVerdict> {
  await remember(ground, signIn, { hash, verdict });
  if (verdict.status !== 'rejected' && verdict.status !== 'alreadyUsed') return verdict;
  const identity = (await recall(ground, signIn, [hash])).get(hash);
  return identity ? { status: 'accepted', identity } : verdict;
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

function hashOf({ keyring }: Ground, { principal }: SignIn, { provider, fields }: PresentedToken): string {
  const text = JSON.stringify(Object.entries(fields).toSorted());
  return keyring.mac('token', principal.projectId, provider, text).toString('hex');
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

async function remember(
  ground: Ground,
  signIn: SignIn,
  { hash, verdict }: { readonly hash: string; readonly verdict: TokenVerdict },
): Promise<void> {
  if (verdict.status !== 'accepted') return;
  const identity = ground.box.seal(JSON.stringify(verdict.identity));
  const expiresMs = ground.now() + rememberedMs;
  await rememberToken(ground.db, scopesOf(ground, signIn), { hash, identity, expiresMs });
}
