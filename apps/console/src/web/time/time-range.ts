/** A range that ends now, or one between two fixed times. */
export type TimeRange =
  | { readonly kind: 'last'; readonly amount: number; readonly unit: RangeUnit }
  | { readonly kind: 'fixed'; readonly fromMs: number; readonly toMs: number };

type RangeUnit = 'm' | 'h' | 'd';

export interface ResolvedRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The longest range. Events are kept for years, and a question about more of them is better asked in SQL. */
const maxRangeMs = 1_100 * unitMs.d;

export const defaultRange = '24h';
export const presetRanges = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'] as const;

/** Reads `24h` or `2026-11-01T00:00:00.000Z..2026-11-02T00:00:00.000Z`. Null for anything else. */
export function parseRange(text: string): TimeRange | null {
  const last = /^(\d{1,4})([mhd])$/.exec(text);
  if (last !== null) {
    const range = { kind: 'last', amount: Number(last[1]), unit: last[2] as RangeUnit } as const;
    const lengthMs = range.amount * unitMs[range.unit];
    return lengthMs > 0 && lengthMs <= maxRangeMs ? range : null;
  }
  const [from = '', to = '', more] = text.split('..');
  if (more !== undefined) return null;
  const fromMs = Date.parse(from);
  const toMs = Date.parse(to);
  return fromMs < toMs && toMs - fromMs <= maxRangeMs ? { kind: 'fixed', fromMs, toMs } : null;
}

/** The text of a valid range, or of the default. For `validateSearch`. */
export function readRangeText(value: unknown): string {
  return typeof value === 'string' && parseRange(value) !== null ? value : defaultRange;
}

/** For `from` and `to` of a call. */
export function timesOf({ fromMs, toMs }: ResolvedRange): { readonly from: string; readonly to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

export function fixedRangeText(range: ResolvedRange): string {
  const { from, to } = timesOf(range);
  return `${from}..${to}`;
}

export function resolveRange(text: string, nowMs: number): ResolvedRange {
  const range = parseRange(text) ?? parseRange(defaultRange);
  if (range === null) throw new Error('The default range is not valid');
  if (range.kind === 'fixed') return { fromMs: range.fromMs, toMs: range.toMs };
  return { fromMs: nowMs - range.amount * unitMs[range.unit], toMs: nowMs };
}

export function rangeBefore({ fromMs, toMs }: ResolvedRange): ResolvedRange {
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}
