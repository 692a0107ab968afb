import { wrongUse } from './command.ts';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time as RFC 3339, or as how long ago: `90s`, `10m`, `2h`, `7d`. Throws a CommandFault for anything else. */
export function readTime(option: string, text: string, nowMs: number): number {
  const agoMs = durationMs(text);
  if (agoMs !== null) return nowMs - agoMs;
  const timeMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(timeMs)) return timeMs;
  throw wrongUse(
    `--${option}: expected a time such as 2026-11-21T09:00:00Z, or how long ago: 10m, 2h, 7d; got '${text}'`,
  );
}

/** Null when the text is not a duration. */
export function durationMs(text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return count === undefined || unit === undefined ? null : Number(count) * (unitMs[unit] ?? 0);
}
