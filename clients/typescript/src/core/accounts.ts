import { backoffMs, codeOf, isFinal } from './answer.ts';
import type { Core } from './core.ts';
import { type Json, objectOf, parseObject } from './json.ts';
import type { Session } from './options.ts';
import { remember } from './remembered.ts';
import { ask, readSession, renew } from './sessions.ts';

/*
 * Whose events these are, and the sessions to send them with. A principal is `key` (nobody), `device:<installation>`
 * (the account of this installation) or `account:<id>` (a player who signed in).
 */

/** The owner of what is tracked now. */
export function ownerOf(core: Core): string {
  return core.options.account === 'key' ? 'key' : (core.player ?? deviceOf(core));
}

/** The principal of this installation's own account. */
export function deviceOf({ saved }: Core): string {
  return `device:${saved.installation}`;
}

/** Makes this player, or with null the device's account, the owner of what is tracked from now on. */
export function usePlayer(core: Core, session: Session | null): void {
  if (session?.device) keepDevice(core, session);
  core.player = session && `account:${session.accountId}`;
  if (session && core.player) core.sessions.set(core.player, session);
  core.hasAskedPlayer = false;
}

/** The key to send events of a principal with, as far as it is known here. */
export function knownKey(core: Core, principal: string): string | undefined {
  return principal === 'key' ? core.options.key : sessionOf(core, principal)?.apiKey;
}

/** Like `knownKey`, after the session was renewed if it ends soon. */
export async function keyFor(core: Core, principal: string): Promise<string | undefined> {
  const session = sessionOf(core, principal);
  if (session) await renew(core, session);
  return knownKey(core, principal);
}

/** The server no longer accepts the session. Events of a player wait for the next sign-in. */
export function endSession(core: Core, principal: string): void {
  const { sessions } = core;
  sessions.delete(sessions.has(principal) ? principal : deviceOf(core));
}

/**
 * Signs the device in if events of these principals need it. Returns how long to wait before sending again, or null if
 * only the player can sign in, so that there is nothing to wait for.
 */
export async function signInFor(core: Core, principals: readonly string[]): Promise<number | null> {
  const isNeeded = principals.some((each) => isDevice(core, each)) && !core.sessions.has(deviceOf(core));
  if (!isNeeded || core.isDeviceRefused) {
    if (!core.hasAskedPlayer) core.options.onSignInNeeded?.();
    core.hasAskedPlayer = true;
    return null;
  }
  const { signal } = core.abort;
  const { device, deviceRequest } = core.saved;
  const requestKey = deviceRequest ?? core.platform.randomHex(16);
  const body = { tokens: { deviceTokens: [device ?? { deviceId: 'new' }] } };
  const { status, text } = await ask(core, 'authenticate', { body, requestKey });
  if (signal.aborted) return null;
  const answer = parseObject(text);
  const session = status === 200 ? readSession(answer) : undefined;
  if (session) {
    keepDevice(core, session);
    await core.saving;
    return 0;
  }
  const refusal = refusalOf(status, answer);
  if (refusal === null && isFinal(status))
    core.tell('sessions', `${core.sessionsUrl} answers HTTP ${status}`);
  if (refusal === null) {
    const seconds = Number(objectOf(answer['data'])?.['retryAfterSeconds']) || 0;
    return seconds * 1000 + backoffMs(core.signInAttempt++, core.platform.random());
  }
  core.isDeviceRefused = true;
  core.tell('device', refusal);
  return 0;
}

/** The code of an answer that no repetition changes, 0 if it asks the player. Null for others: a proxy's has no code. */
function refusalOf(status: number, answer: Json): number | null {
  if (status === 200) return 'exchangeId' in answer ? 0 : null;
  return (status !== 404 && isFinal(status) && codeOf(answer)) || null;
}

/** Keeps the session and the token of a device account. */
function keepDevice(core: Core, session: Session): void {
  const { device = core.saved.device, accountId: deviceAccount } = session;
  core.signInAttempt = 0;
  core.sessions.set(deviceOf(core), session);
  remember(core, { device, deviceAccount, deviceRequest: null });
}

function sessionOf(core: Core, principal: string): Session | undefined {
  const { sessions } = core;
  return sessions.get(principal) ?? (isDevice(core, principal) ? sessions.get(deviceOf(core)) : undefined);
}

function isDevice(core: Core, principal: string): boolean {
  return principal === deviceOf(core) || principal === `account:${core.saved.deviceAccount}`;
}
