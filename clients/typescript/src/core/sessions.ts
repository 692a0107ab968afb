import { findAddresses } from './addresses.ts';
import type { RawAnswer } from './answer.ts';
import type { Core } from './core.ts';
import { type Json, objectOf, parseObject, textOf } from './json.ts';
import type { Session } from './options.ts';
import { request } from './request.ts';
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

/** Sends a request to auth. Nobody answers it while auth's address is not known. */
export async function ask(
  core: Core,
  path: string,
  sent: {
    readonly body: unknown;
    readonly method?: string;
    readonly apiKey?: string;
    readonly requestKey?: string;
    readonly signal?: AbortSignal;
  },
): Promise<RawAnswer> {
  const { body, method = 'PUT', apiKey = core.options.key, requestKey, signal = core.abort.signal } = sent;
  await findAddresses(core);
  if (!core.finding && !core.options.sessionsUrl) return { status: 0, text: '', retryAfter: null };
  const answer = await request(
    core.platform,
    {
      url: `${core.sessionsUrl}/2018-03-24/${path}`,
      method,
      headers: {
        'X-API-Key': apiKey,
        'Content-Type': 'application/json',
        ...(requestKey && { 'Idempotency-Key': requestKey }),
      },
      body: JSON.stringify(body),
    },
    signal,
  );
  // Not the address of sessions: the next attempt asks for it.
  if (answer.status === 404) core.finding = null;
  return answer;
}

/** Gives the session a later end, if it ends soon. */
export async function renew(core: Core, session: Session): Promise<void> {
  const leftSeconds = session.expiry - core.platform.wallMs() / 1000;
  if (leftSeconds < 0 || leftSeconds >= (session.expiry - session.start) * 0.2) return;
  const sent = { method: 'POST', apiKey: session.apiKey, body: {} };
  const { status, text } = await ask(core, 'session', sent);
  const { start, expiry } = parseObject(text);
  if (status !== 200 || typeof expiry !== 'number') return;
  for (const [principal, known] of core.sessions)
    if (known === session) core.sessions.set(principal, { ...session, start: Number(start), expiry });
}
