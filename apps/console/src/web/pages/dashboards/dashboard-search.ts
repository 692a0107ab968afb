import { flag, searchReader } from '../../layout/search-reader.ts';
import { isTimeZone } from '../../look/preferences.ts';
import { parseRange } from '../../time/time-range.ts';

export const readDashboardSearch = searchReader({
  /** Values of the filters that differ from the defaults of the dashboard. */
  values: readValues,
  /** In seconds; 0 never loads again by itself. The default is the one of the dashboard. */
  refresh: (value: unknown) => {
    const seconds = Number(value);
    return seconds >= 0 && seconds <= 86_400 ? seconds : undefined;
  },
  edit: flag,
});

/** The range and the zone are undefined until the page knows the dashboard, which has its own. */
export const readSharedSearch = searchReader({
  range: (value: unknown) => (typeof value === 'string' && parseRange(value) !== null ? value : undefined),
  zone: (value: unknown) => (isTimeZone(value) ? value : undefined),
  values: readValues,
});

function readValues(values: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined;
  const texts = Object.entries(values).map(([name, value]) => [name, String(value).slice(0, 1_000)]);
  return texts.length === 0 ? undefined : Object.fromEntries(texts.slice(0, 20));
}
