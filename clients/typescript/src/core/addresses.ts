import { codeOf, isFinal } from './answer.ts';
import { type Core, trimmed } from './core.ts';
import { parseObject } from './json.ts';
import { request } from './request.ts';

const timeoutMs = 10_000;

/** Takes over the addresses that the server reports. Asks again at the next call while the server gave no answer. */
export function findAddresses(core: Core): Promise<void> {
  core.finding ??= ask(core).then((isAnswered) => {
    if (!isAnswered) core.finding = null;
  });
  return core.finding;
}

/** False if nobody was there to say which addresses there are. */
async function ask(core: Core): Promise<boolean> {
  const { platform, abort, options } = core;
  const url = `${trimmed(options.url)}/.well-known/tickrate`;
  const answer = await request(platform, { url, timeoutMs }, abort.signal);
  const { status, text } = answer;
  if (!abort.signal.aborted) core.tell('address', { answer, url: options.url });
  const body = parseObject(text);
  const { events, sessions, protocol } = body;
  if (typeof protocol !== 'number') return isFinal(status) && codeOf(body) > 0;
  if (isAddress(events)) core.eventsUrl = trimmed(events);
  if (isAddress(sessions) && !options.sessionsUrl) core.sessionsUrl = trimmed(sessions);
  return true;
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value);
}
