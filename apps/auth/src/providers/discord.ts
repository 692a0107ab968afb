import type { DiscordSettings } from '@tickrate/contract';
import { memberAt, textAt } from './member-at.ts';
import { isPage, type PlatformAnswer, type PlatformClient, verdictWithout } from './platform-client.ts';
import { accept, type Provider, type TokenVerdict } from './provider.ts';

/**
 * Access tokens that users granted to our application only: the plain user endpoint would accept the token of any
 * application.
 */
export function createDiscordProvider(client: PlatformClient, now: () => number): Provider {
  return async ({ settings: { discord: settings }, fields, signal }) => {
    if (settings === null) return { status: 'notConfigured', detail: 'Discord' };
    const token = fields['accessToken'] ?? '';
    if (!/^[\w.~+/=-]{8,2048}$/.test(token)) return { status: 'rejected', detail: 'not a token of Discord' };
    const url = new URL(`${settings.address.replace(/\/+$/, '')}/api/v10/oauth2/@me`);
    const answer = await client.askJson({ url, headers: { authorization: `Bearer ${token}` }, signal });
    return judge(answer, settings, now());
  };
}

function judge(answer: PlatformAnswer, { applicationId }: DiscordSettings, nowMs: number): TokenVerdict {
  if (answer.kind !== 'json') return verdictWithout(answer, 'Discord');
  const { status, body } = answer;
  if (isPage(answer)) {
    return { status: 'unavailable', retryAfterSeconds: 5, detail: `Discord answered a page (${status})` };
  }
  if (status !== 200) return { status: 'rejected', detail: `Discord refused the token (${status})` };
  if (textAt(body, 'application', 'id') !== applicationId) {
    return { status: 'rejected', detail: "another application's token" };
  }
  const scopes = memberAt(body, 'scopes');
  const userId = textAt(body, 'user', 'id');
  if (
    !Array.isArray(scopes) ||
    !scopes.includes('identify') ||
    userId === null ||
    !/^\d{1,20}$/.test(userId)
  ) {
    return { status: 'rejected', detail: 'a token without the scope identify' };
  }
  const expiresMs = Date.parse(textAt(body, 'expires') ?? '');
  if (!(expiresMs > nowMs)) return { status: 'expired', detail: "Discord's token is over" };
  const user = memberAt(body, 'user');
  const avatar = textAt(user, 'avatar');
  const isHash = avatar !== null && /^\w{1,64}$/.test(avatar);
  return accept('discord', userId, {
    displayName: textAt(user, 'global_name') ?? textAt(user, 'username'),
    avatarUrl: isHash ? `https://cdn.discordapp.com/avatars/${userId}/${avatar}.png` : null,
  });
}
