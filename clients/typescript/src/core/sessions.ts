import { type Json, objectOf, textOf } from './json.ts';
import type { Session } from './options.ts';
import { readDevice } from './saved-state.ts';

/** Reads the session of a complete sign-in. */
export function readSession(answer: Json): Session | undefined {
  const { apiKey, accountId, start, expiry } = objectOf(answer['authenticatedSession']) ?? {};
  const key = textOf(apiKey);
  const account = textOf(accountId);
  if (!key || !account) return;
  const device = readDevice(answer['issuedDeviceToken']);
  const times = { start: Number(start), expiry: Number(expiry) };
  return { apiKey: key, accountId: account, ...times, ...(device && { device }) };
}
