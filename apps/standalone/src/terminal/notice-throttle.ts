import type { Notice } from './notice.ts';

/** Accepts each text of an app once per pause, so that a person can read them. */
export function createNoticeThrottle(
  now: () => number,
  pauseMs = 30_000,
): (app: string, notice: Notice) => boolean {
  const lastMs = new Map<string, number>();
  return (app, { text }) => {
    const nowMs = now();
    // Numbers and ids differ from one occurrence of a fault to the next.
    const key = `${app} ${text.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, '#')}`;
    const last = lastMs.get(key);
    if (last !== undefined && nowMs - last < pauseMs) return false;
    for (const [old, atMs] of lastMs) if (nowMs - atMs >= pauseMs) lastMs.delete(old);
    lastMs.set(key, nowMs);
    return true;
  };
}
