import { inject } from 'vitest';
import type { World } from './world.ts';

export interface Player {
  readonly accountId: string;
  send(type: string, event: object): Promise<void>;
}

/** A new player on a new device, with a session that sends events. */
export async function signUp(world: World, displayName: string): Promise<Player> {
  const { auth, gateway } = inject('product');
  const { text: publicKey } = await world.call<{ text: string }>('POST /v1/keys', { kind: 'public' });
  const { authenticatedSession: session } = await sendJson<{
    authenticatedSession: { accountId: string; apiKey: string };
  }>(`${auth}/2018-03-24/authenticate`, {
    method: 'PUT',
    key: publicKey,
    body: { tokens: { deviceTokens: [{ deviceId: 'new' }] }, registration: { displayName } },
  });
  return {
    accountId: session.accountId,
    async send(type, event) {
      const url = `${gateway}/v1/event/insert?eventType=${type}`;
      await sendJson(url, { method: 'PUT', key: session.apiKey, body: event });
    },
  };
}

async function sendJson<T>(
  url: string,
  { method, key, body }: { readonly method: string; readonly key: string; readonly body: object },
): Promise<T> {
  const headers = { Connection: 'close', 'X-API-Key': key, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
