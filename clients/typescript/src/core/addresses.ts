import { type Core, trimmed } from './core.ts';
import { parseObject } from './json.ts';
import { request } from './request.ts';

/** Takes over the addresses that the server reports, if it reports any. */
export async function discover(core: Core): Promise<void> {
  const url = `${core.eventsUrl}/.well-known/tickrate`;
  const { status, text } = await request(core.platform, { url }, core.abort.signal);
  const { events, sessions } = parseObject(text);
  if (status !== 200) return;
  if (isAddress(events)) core.eventsUrl = trimmed(events);
  if (isAddress(sessions) && !core.options.sessionsUrl) core.sessionsUrl = trimmed(sessions);
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value);
}
