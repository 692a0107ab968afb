import type { Language } from '../texts/define-texts.ts';

export type Formats = ReturnType<typeof createFormats>;

export function createFormats(language: Language, zone: string) {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const compact = new Intl.NumberFormat(locale === 'de-DE' ? 'de-DE' : 'en-US', {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenth = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const times = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: zone, hourCycle: 'h23', ...options });
    return (at: number | string) => {
      const date = new Date(at);
      return Number.isNaN(date.getTime()) ? '–' : format.format(date);
    };
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    /** `12,345.6` */
    number: (value: number) => number.format(value),
    /** `12,346`, and `1.2M` from a million on: for a chart or a tile. */
    compact: (value: number) => {
      if (Math.abs(value) >= 1_000_000) return compact.format(value);
      return (Math.abs(value) < 10_000 ? number : whole).format(value);
    },
    /** `12,346`: without digits after the point. */
    whole: (value: number) => whole.format(value),
    /** `0.4`, `1,808`: of something per time; digits after the point only where they matter. */
    rate: (value: number) => (Math.abs(value) < 10 ? tenth.format(value) : whole.format(value)),
    /** `0.025`: with at most this many digits after the point. */
    digits: (value: number, most: number) =>
      value.toLocaleString(locale, { maximumFractionDigits: Math.min(most, 20) }),
    /** `0.50`: with as many digits after the point, so that a column of numbers is aligned. */
    decimals: (value: number, count: number) =>
      value.toLocaleString(locale, { minimumFractionDigits: count, maximumFractionDigits: count }),
    /** `0.4 %`, of a fraction; in a column `40.0 %`, so that it is aligned. */
    percent: (fraction: number, inColumn?: 'aligned') =>
      Number.isFinite(fraction)
        ? fraction.toLocaleString(locale, {
            style: 'percent',
            minimumFractionDigits: inColumn ? 1 : 0,
            maximumFractionDigits: 1,
          })
        : '–',
    bytes: (value: number) => withUnit(value, byteUnits, number),
    /** `1.2 s`, `3 min`, `2 h`. */
    duration: (seconds: number) => withUnit(seconds, secondUnits, number),
    /** `22 Nov 2026, 14:03:05` in the chosen zone. */
    time: times({ dateStyle: 'medium', timeStyle: 'medium' }),
    /** `22 Nov 2026` in the chosen zone. */
    date: times({ dateStyle: 'medium' }),
    /** `14:03:05` in the chosen zone. */
    clock: times({ timeStyle: 'medium' }),
    /** `22 Nov` in the chosen zone. */
    day: times({ day: 'numeric', month: 'short' }),
    /** `5 minutes ago`. */
    ago: (at: number | string, nowMs: number) => ago(new Date(at).getTime() - nowMs, relative),
  };
}

interface Unit {
  readonly from: number;
  readonly name: string;
}

const byteUnits: readonly Unit[] = [
  { from: 2 ** 40, name: 'TiB' },
  { from: 2 ** 30, name: 'GiB' },
  { from: 2 ** 20, name: 'MiB' },
  { from: 2 ** 10, name: 'KiB' },
  { from: 1, name: 'B' },
];
const secondUnits: readonly Unit[] = [
  { from: 86_400, name: 'd' },
  { from: 3_600, name: 'h' },
  { from: 60, name: 'min' },
  { from: 1, name: 's' },
  { from: 0.001, name: 'ms' },
];

function withUnit(value: number, units: readonly Unit[], format: Intl.NumberFormat): string {
  const smallest = units.at(-1) ?? { from: 1, name: '' };
  const unit = units.find(({ from }) => Math.abs(value) >= from) ?? smallest;
  const scaled = value / unit.from;
  const rounded = Math.abs(scaled) < 10 ? Math.round(scaled * 10) / 10 : Math.round(scaled);
  return `${format.format(rounded)} ${unit.name}`;
}

const agoUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function ago(differenceMs: number, format: Intl.RelativeTimeFormat): string {
  const seconds = differenceMs / 1000;
  if (Number.isNaN(seconds)) return '–';
  const [unit, length] = agoUnits.find((each) => Math.abs(seconds) >= each[1]) ?? ['second', 1];
  return format.format(Math.round(seconds / length), unit);
}
