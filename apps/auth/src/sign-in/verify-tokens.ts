import { setTimeout } from 'node:timers/promises';
import { type Accounts, createTokenMemory, type TokenMemory } from '@tickrate/accounts';
import {
  nameOfToken,
  type PresentedToken,
  type ProvenIdentity,
  type TokenVerdict,
  type TokenVerifier,
} from '../providers/provider.ts';
import { installationRealm, type SignIn, type VerifiedToken } from './sign-in.ts';

/**
 * The verdicts of the platforms. An accepted token is remembered by a keyed hash, for this exchange and this sender,
 * because many tokens are valid for one call only. A refusal is never remembered. Concurrent requests of one sender share
 * one call, also across processes.
 */
export type VerifyTokens = (signIn: SignIn) => Promise<VerifiedToken[]>;

type Tokens = ReadonlyMap<string, PresentedToken>;
type Verdicts = ReadonlyMap<string, TokenVerdict>;
type Flights = ReadonlyMap<string, Promise<TokenVerdict>>;

export function createVerifyTokens(
  accounts: Accounts,
  { players, administrators }: Record<'players' | 'administrators', TokenVerifier>,
): VerifyTokens {
  const inFlight = new Map<string, Promise<TokenVerdict>>();

  /** Verifies together the tokens that are not being verified yet, and returns promises of all verdicts. */
  function askPlatforms(signIn: SignIn, memory: TokenMemory, asked: Tokens): Flights {
    const { principal, clientAddress, settings, realm, exchange } = signIn;
    const sender = realm === installationRealm ? exchange.id : `${principal.keyId} ${clientAddress}`;
    const nameOf = (hash: string) => `${sender} ${hash}`;
    const verify = async (tokens: Tokens): Promise<Verdicts> => {
      if (tokens.size === 0) return new Map();
      const verifier = realm === installationRealm ? administrators : players;
      const verdicts = await verifier.verify(settings.providers, [...tokens.values()], realm);
      return new Map([...tokens.keys()].flatMap((hash, at) => pairOf(hash, verdicts[at])));
    };
    const fresh = new Map([...asked].filter(([hash]) => !inFlight.has(nameOf(hash))));
    for (const [hash, flight] of showFresh(memory, fresh, verify)) {
      const name = nameOf(hash);
      const land = () => inFlight.delete(name);
      flight.then(land, land);
      inFlight.set(name, flight);
    }
    return new Map([...asked.keys()].flatMap((hash) => pairOf(hash, inFlight.get(nameOf(hash)))));
  }

  return async (signIn) => {
    const { credentials, exchange, principal, clientAddress, realm } = signIn;
    const { tokens } = credentials;
    if (tokens.length === 0) return [];
    const { keyId } = principal;
    const onlyExchange = realm === installationRealm;
    const memory = createTokenMemory(accounts, {
      exchangeId: exchange.id,
      onlyExchange,
      keyId,
      clientAddress,
    });
    const hashed = tokens.map((token) => {
      const hash = accounts.keyring.mac('token', realm, nameOfToken(token)).toString('hex');
      return [hash, token] as const;
    });
    const known = await recall(memory, foreignOf(new Map(hashed)));
    const flights = askPlatforms(signIn, memory, new Map(hashed.filter(([hash]) => !known.has(hash))));
    return Promise.all(
      hashed.map(async ([hash, token]) => {
        const identity = known.get(hash);
        if (identity) return { token, verdict: { status: 'accepted' as const, identity } };
        const verdict = await flights.get(hash);
        if (verdict === undefined) throw new Error('A token is not being verified');
        return { token, verdict };
      }),
    );
  };
}

/** Shows the tokens of this process together; waits for the results of tokens that another process shows. */
function showFresh(
  memory: TokenMemory,
  fresh: Tokens,
  verify: (tokens: Tokens) => Promise<Verdicts>,
): Flights {
  const claimed = memory.claim(foreignOf(fresh));
  const shown = claimed.then((mine) =>
    verify(new Map([...fresh].filter(([hash, token]) => isOurs(token) || mine.has(hash)))),
  );
  // Reports the verdict to requests that wait for it in this process; other processes do not wait.
  shown.catch(() => undefined);
  const show = async (hash: string, token: PresentedToken): Promise<TokenVerdict> => {
    if (isOurs(token)) return verdictOf(await shown, hash);
    const isMine = (await claimed).has(hash);
    const found = isMine ? null : await awaitOther(memory, hash);
    if (found) return found;
    const verdict = verdictOf(await (isMine ? shown : verify(new Map([[hash, token]]))), hash);
    return settle(memory, hash, verdict);
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

/** Another process may have shown the same token first, and have got the platform's approval. */
async function settle(memory: TokenMemory, hash: string, verdict: TokenVerdict): Promise<TokenVerdict> {
  if (verdict.status === 'accepted') {
    await memory.remember(hash, JSON.stringify(verdict.identity));
    return verdict;
  }
  await memory.release(hash);
  if (verdict.status !== 'rejected' && verdict.status !== 'alreadyUsed') return verdict;
  return (await recallOne(memory, hash)) ?? verdict;
}

function foreignOf(tokens: Tokens): string[] {
  return [...tokens].flatMap(([hash, token]) => (isOurs(token) ? [] : [hash]));
}

function pairOf<K, V>(key: K, value: V | undefined): [K, V][] {
  return value === undefined ? [] : [[key, value]];
}

async function recall(
  memory: TokenMemory,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ProvenIdentity>> {
  if (hashes.length === 0) return new Map();
  const texts = await memory.recall(hashes);
  return new Map([...texts].map(([hash, text]) => [hash, JSON.parse(text) as ProvenIdentity]));
}

async function recallOne(memory: TokenMemory, hash: string): Promise<TokenVerdict | null> {
  const identity = (await recall(memory, [hash])).get(hash);
  return identity ? { status: 'accepted', identity } : null;
}

/** As long in total as the timeout of a platform. No connection is used in between. */
const pausesMs = [25, 50, 100, 200, ...Array.from({ length: 19 }, () => 400)];

/**
 * The verdict of another process that shows the same token to its platform; null if there is none and the caller must
 * ask by itself.
 */
async function awaitOther(memory: TokenMemory, hash: string): Promise<TokenVerdict | null> {
  for (const pauseMs of pausesMs) {
    const isUnderWay = await memory.isClaimed(hash);
    const found = await recallOne(memory, hash);
    if (found || !isUnderWay) return found;
    await setTimeout(pauseMs);
  }
  return { status: 'unavailable', retryAfterSeconds: 1, detail: 'there was no verdict in time' };
}
