import type { SteamSettings } from '@tickrate/contract';
import { memberAt, textAt } from './member-at.ts';
import { type PlatformAnswer, type PlatformClient, verdictWithout } from './platform-client.ts';
import { accept, type Provider, type TokenVerdict } from './provider.ts';

interface Check {
  readonly client: PlatformClient;
  readonly settings: SteamSettings;
  readonly signal: AbortSignal;
}

const profileTimeoutMs = 1_500;

/** Tickets of GetAuthTicketForWebApi. Malformed tickets are never sent to Steam. */
export function createSteamProvider(client: PlatformClient): Provider {
  return async ({ settings: { steam: settings }, fields, signal }) => {
    if (settings === null) return { status: 'notConfigured', detail: 'Steam' };
    const ticket = fields['userTicket'] ?? '';
    if (!isTicket(ticket)) return { status: 'rejected', detail: 'not a Steam ticket' };
    return authenticate({ client, settings, signal }, ticket);
  };
}

export function isTicket(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]{16,5120}$/.test(text);
}

/** A demo or a playtest has its own id, and only Steam knows the application of a ticket. */
async function authenticate(check: Check, ticket: string): Promise<TokenVerdict> {
  let verdict: TokenVerdict = { status: 'notConfigured', detail: 'Steam has no application id' };
  for (const appId of check.settings.appIds) {
    const { identity } = check.settings;
    const url = steamUrl(check, 'ISteamUserAuth/AuthenticateUserTicket/v1/', {
      appid: appId,
      ticket,
      ...(identity === undefined ? {} : { identity }),
    });
    const answer = await ask(check, url);
    verdict = await judge(check, answer, appId);
    if (verdict.status !== 'rejected') break;
  }
  return verdict;
}

function steamUrl({ settings }: Check, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(path, `${settings.address.replace(/\/+$/, '')}/`);
  url.search = new URLSearchParams(query).toString();
  return url;
}

/** The key is sent in a header: proxies log addresses. */
function ask({ client, settings, signal }: Check, url: URL, timeoutMs?: number): Promise<PlatformAnswer> {
  const headers = { 'x-webapi-key': settings.publisherKey };
  return client.askJson({ url, headers, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

async function judge(check: Check, answer: PlatformAnswer, appId: string): Promise<TokenVerdict> {
  if (answer.kind !== 'json') return verdictWithout(answer, 'Steam');
  if (answer.status === 401 || answer.status === 403) {
    return { status: 'misconfigured', detail: `Steam refused the publisher key (${answer.status})` };
  }
  const code = memberAt(answer.body, 'response', 'error', 'errorcode');
  if (answer.status !== 200 || code !== undefined) {
    return { status: 'rejected', detail: `Steam refused the ticket (${String(code ?? answer.status)})` };
  }
  const params = memberAt(answer.body, 'response', 'params');
  const steamId = textAt(params, 'steamid');
  if (textAt(params, 'result') !== 'OK' || steamId === null || !/^\d{1,20}$/.test(steamId)) {
    return {
      status: 'unavailable',
      retryAfterSeconds: 5,
      detail: 'Steam gave an answer that it does not document',
    };
  }
  return acceptUser(check, params, { steamId, appId });
}

async function acceptUser(
  check: Check,
  params: unknown,
  { steamId, appId }: { readonly steamId: string; readonly appId: string },
): Promise<TokenVerdict> {
  const ownerId = textAt(params, 'ownersteamid') ?? steamId;
  const familySharing = ownerId !== steamId;
  if (memberAt(params, 'publisherbanned') === true) {
    return { status: 'banned', detail: 'banned by the publisher on Steam' };
  }
  if (familySharing && check.settings.familySharing === 'refuse') {
    return { status: 'rejected', detail: 'plays a borrowed copy' };
  }
  const vacBanned = memberAt(params, 'vacbanned') === true;
  const attributes = { appId, familySharing, vacBanned, ...(familySharing ? { ownerId } : {}) };
  const profile = await readProfile(check, steamId);
  return accept('steam', steamId, { attributes, ...profile });
}

/** Optional: without it the sign-in continues. */
async function readProfile(check: Check, steamId: string) {
  if (!check.settings.profile) return { displayName: null, avatarUrl: null };
  const url = steamUrl(check, 'ISteamUser/GetPlayerSummaries/v2/', { steamids: steamId });
  const answer = await ask(check, url, profileTimeoutMs);
  const player = answer.kind === 'json' ? memberAt(answer.body, 'response', 'players', '0') : null;
  return { displayName: textAt(player, 'personaname'), avatarUrl: textAt(player, 'avatarfull') };
}
