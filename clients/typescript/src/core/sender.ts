import { endSession, keyFor, knownKey, signInFor } from './accounts.ts';
import { findAddresses } from './addresses.ts';
import { type Action, backoffMs, decide, type RawAnswer } from './answer.ts';
import type { Core, Segment } from './core.ts';
import type { LossReason } from './options.ts';
import { lose } from './remembered.ts';
import { gzip, request } from './request.ts';
import { bodyOf, keyOf } from './segment.ts';
import { allSealed, bound, drop, isGone, split } from './segments.ts';
import { silence } from './tell.ts';

/* Sends segment after segment while there are any. One loop runs at a time, with one request. */

const sdk = 'tickrate-js/0.1.0';
const mostTimerMs = 2 ** 31 - 1;

export function sendSoon(core: Core): void {
  if (!maySend(core)) return;
  core.isSendDue = core.sending !== null;
  core.sending ??= sendAll(core)
    .catch((error) => core.tell('send', error))
    .finally(() => {
      core.sending = null;
      if (core.isSendDue) sendSoon(core);
    });
}

/** Ends a backoff, but not a wait that the server asked for. */
export function hurry(core: Core): void {
  core.wake();
  sendSoon(core);
}

/** Ends what is being sent. The next `sendSoon` begins anew. */
export function abortSending(core: Core): void {
  core.abort.abort();
  core.abort = new AbortController();
}

/**
 * Sends the text of a segment in a request that outlives its page, while the segment is still written. What it resolves
 * with is called when the segment is written.
 */
export async function leave(
  core: Core,
  segment: Segment,
  text: string,
): Promise<(() => Promise<void>) | undefined> {
  const apiKey = knownKey(core, segment.principal);
  if (!core.isHidden || !apiKey || !maySend(core) || segment.segmentBytes >= 60_000) return;
  const { signal } = core.abort;
  const [idempotencyKey, clientTime] = identify(core, segment);
  const body = bodyOf(text);
  const answer = await request(
    core.platform,
    {
      url: `${eventsAddress(core)}?${new URLSearchParams({ apiKey, clientTime, idempotencyKey })}`,
      method: 'POST',
      // Without a preflight.
      headers: { 'Content-Type': 'text/plain' },
      body,
      keepalive: true,
    },
    signal,
  );
  return answer.status === 200 ? () => heed(core, { segment, signal, body }, answer) : undefined;
}

export function maySend({ isStopped, saved }: Core): boolean {
  return !isStopped && saved.consent === 'granted';
}

function eventsAddress({ eventsUrl }: Core): string {
  return `${eventsUrl}/v1/event/multiInsert`;
}

async function sendAll(core: Core): Promise<void> {
  const { signal } = core.abort;
  while (!signal.aborted && !core.isStopped) {
    await allSealed(core);
    bound(core);
    const waiting = core.segments.filter(({ sealing }) => !sealing);
    if (!waiting.length) return;
    await findAddresses(core);
    if (await sendFirst(core, waiting, signal)) continue;
    const waitMs = await signInFor(
      core,
      core.segments.map(({ principal }) => principal),
    );
    if (waitMs === null) return;
    await sleep(core, Math.min(waitMs, core.tuned.backoffToMs), { signal });
  }
}

/** Sends the first segment whose owner has a key. False if there is none. */
async function sendFirst(core: Core, waiting: readonly Segment[], signal: AbortSignal): Promise<boolean> {
  for (const segment of waiting) {
    const key = await keyFor(core, segment.principal);
    if (!key || !core.segments.includes(segment)) continue;
    segment.isSending = true;
    try {
      const body = bodyOf(await core.store.read(segment.place));
      await heed(core, { segment, signal, body }, await put(core, segment, { key, body, signal }));
    } catch (error) {
      if (!isGone(core, segment, error)) {
        core.tell('read', error);
        await sleep(core, backoffMs(core.sendAttempt++, core.platform.random()), { signal });
      }
    } finally {
      segment.isSending = false;
    }
    return true;
  }
  return false;
}

async function put(
  core: Core,
  segment: Segment,
  { key, body, signal }: { key: string; body: string; signal: AbortSignal },
): Promise<RawAnswer> {
  const packed = body.length < 1024 ? null : await gzip(body);
  const [idempotencyKey, clientTime] = identify(core, segment);
  return request(
    core.platform,
    {
      url: eventsAddress(core),
      method: 'PUT',
      headers: {
        'X-API-Key': key,
        'Idempotency-Key': idempotencyKey,
        'X-Client-Time': clientTime,
        'X-Tickrate-SDK': sdk,
        'Content-Type': 'application/x-ndjson',
        ...(packed && { 'Content-Encoding': 'gzip' }),
      },
      body: packed ?? body,
    },
    signal,
  );
}

/** The key of a segment's request, and its `X-Client-Time`. */
function identify({ platform }: Core, { clock, place }: Segment): [key: string, clientTime: string] {
  const clientMs = clock === null ? platform.wallMs() : clock + platform.monotonicMs();
  return [keyOf(place), String(Math.max(0, Math.round(clientMs)))];
}

async function heed(
  core: Core,
  { segment, signal, body }: { segment: Segment; signal: AbortSignal; body: string },
  answer: RawAnswer,
): Promise<void> {
  if (signal.aborted) return;
  const { platform, tuned } = core;
  const decision = decide(answer, core.sendAttempt, {
    random: platform.random(),
    fromMs: tuned.backoffFromMs,
    toMs: tuned.backoffToMs,
  });
  core.tell('answer', { answer, decision, nowMs: platform.wallMs(), url: core.eventsUrl, body });
  const { action, code, rejected, delayMs } = decision;
  // A page that ended had sent the segment, with more lines at its end than its record has.
  const isStored = code === 8010 && segment.wasOpen;
  await obey(core, segment, { action: isStored ? 'delete' : action, rejected });
  if (action === 'setAside' && code === 8010 && !isStored) core.tell('changed');
  await sleep(core, delayMs, { signal, isWakeable: action === 'retry' });
}

async function obey(
  core: Core,
  segment: Segment,
  { action, rejected }: { action: Action; rejected: number },
): Promise<void> {
  const { events, place } = segment;
  const settle = async (done: Promise<void>, reason: LossReason, lost: number) => {
    await done;
    drop(core, segment);
    if (lost) lose(core, reason, lost);
  };
  switch (action) {
    case 'retry':
      core.sendAttempt++;
      break;
    case 'delete':
      core.sendAttempt = 0;
      return settle(core.store.remove(place), 'rejected', rejected);
    case 'setAside':
      return settle(core.store.setAside(place), 'refused', events);
    case 'split':
      return events > 1 ? split(core, segment) : settle(core.store.remove(place), 'rejected', 1);
    case 'signIn':
      endSession(core, segment.principal);
      break;
    case 'stop':
      core.isStopped = true;
      break;
    case 'wait':
    case 'pause':
  }
}

async function sleep(
  core: Core,
  ms: number,
  { signal, isWakeable = true }: { signal: AbortSignal; isWakeable?: boolean },
): Promise<void> {
  if (signal.aborted || ms <= 0) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, mostTimerMs));
    (timer as { unref?: () => void }).unref?.();
    core.wake = isWakeable ? done : silence;
    signal.addEventListener('abort', done);
  });
}
