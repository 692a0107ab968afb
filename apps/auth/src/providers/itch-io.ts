import type { ItchIoSettings } from '@tickrate/contract';
import { memberAt, textAt } from './member-at.ts';
import { isPage, type PlatformAnswer, type PlatformClient, verdictWithout } from './platform-client.ts';
import { accept, type Provider, type TokenVerdict } from './provider.ts';

interface Check {
  readonly client: PlatformClient;
  readonly settings: ItchIoSettings;
  readonly signal: AbortSignal;
}

/**
 * Keys that the itch.io app gives to a game that it starts, or that a user granted to an OAuth application. itch.io
 * does not report the game of a key. With the game configured, its user must own the game.
 */
export function createItchIoProvider(client: PlatformClient): Provider {
  return async ({ settings: { itchIo: settings }, fields, signal }) => {
    if (settings === null) return { status: 'notConfigured', detail: 'itch.io' };
    const key = fields['apiKey'] ?? '';
    if (!/^[\w.~+/=-]{8,8192}$/.test(key)) return { status: 'rejected', detail: 'not a key of itch.io' };
    const check = { client, settings, signal };
    const byToken = readUser(await ask(check, 'jwt/me', key));
    if (byToken.status !== 'rejected' || !settings.oauthKeys) return confirm(check, byToken);
    return confirm(check, readUser(await ask(check, 'key/me', `Bearer ${key}`)));
  };
}

function ask(
  { client, settings, signal }: Check,
  path: string,
  authorization: string,
): Promise<PlatformAnswer> {
  const url = new URL(`${settings.address.replace(/\/+$/, '')}/api/1/${path}`);
  return client.askJson({ url, headers: { authorization }, signal });
}

function readUser(answer: PlatformAnswer): TokenVerdict {
  const failure = failureOf(answer);
  if (failure !== null) return failure;
  const body = answer.kind === 'json' ? answer.body : null;
  const user = memberAt(body, 'user');
  const id = memberAt(user, 'id');
  if (memberAt(body, 'errors') !== undefined || !Number.isSafeInteger(id)) {
    return { status: 'rejected', detail: 'itch.io refused the key' };
  }
  return accept('itchIo', String(id), {
    displayName: textAt(user, 'display_name') ?? textAt(user, 'username'),
    avatarUrl: textAt(user, 'cover_url'),
  });
}

function failureOf(answer: PlatformAnswer): TokenVerdict | null {
  if (isPage(answer)) {
    return { status: 'unavailable', retryAfterSeconds: 5, detail: 'itch.io: it answered a page' };
  }
  return answer.kind === 'json' ? null : verdictWithout(answer, 'itch.io');
}

async function confirm(check: Check, verdict: TokenVerdict): Promise<TokenVerdict> {
  const { gameId, developerKey } = check.settings;
  if (verdict.status !== 'accepted' || gameId === undefined || developerKey === undefined) return verdict;
  const query = new URLSearchParams({ user_id: verdict.identity.subject });
  const answer = await ask(check, `key/game/${gameId}/download_keys?${query}`, `Bearer ${developerKey}`);
  const failure = failureOf(answer);
  if (failure !== null || answer.kind !== 'json') return failure ?? verdict;
  if (refusesKey(answer.status, answer.body)) {
    return { status: 'misconfigured', detail: "itch.io refused the developer's key" };
  }
  if (memberAt(answer.body, 'download_key', 'id') === undefined) {
    return { status: 'rejected', detail: 'does not own the game on itch.io' };
  }
  return { ...verdict, identity: { ...verdict.identity, attributes: { ownsGame: true } } };
}

/** itch.io reports errors only as sentences; an unknown key is `invalid key`. */
function refusesKey(status: number, body: unknown): boolean {
  const errors = memberAt(body, 'errors');
  if (Array.isArray(errors)) return errors.includes('invalid key');
  return status === 401 || status === 403;
}
