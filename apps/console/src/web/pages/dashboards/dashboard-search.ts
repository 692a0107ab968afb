import type { SearchSchemaInput } from '@tanstack/react-router';
import { isTimeZone } from '../../look/preferences.ts';
import { parseRange } from '../../time/time-range.ts';

export interface DashboardSearch {
  /** Values of the filters that differ from the defaults of the dashboard. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** In seconds; 0 never loads again by itself. The default is the one of the dashboard. */
  readonly refresh?: number | undefined;
  readonly edit?: boolean | undefined;
}

export function readDashboardSearch({
  values,
  refresh,
  edit,
}: DashboardSearch & SearchSchemaInput): DashboardSearch {
  const seconds = Number(refresh);
  return {
    values: readValues(values),
    refresh: refresh !== undefined && seconds >= 0 && seconds <= 86_400 ? seconds : undefined,
    edit: edit === true ? true : undefined,
  };
}

interface SharedSearch {
  /** Undefined until the page knows the dashboard, which has a range and a zone of its own. */
  readonly range?: string | undefined;
  readonly zone?: string | undefined;
  readonly values?: DashboardSearch['values'];
}

export function readSharedSearch({ range, zone, values }: SharedSearch & SearchSchemaInput): SharedSearch {
  return {
    range: typeof range === 'string' && parseRange(range) !== null ? range : undefined,
    zone: isTimeZone(zone) ? zone : undefined,
    values: readValues(values),
  };
}

function readValues(values: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined;
  const texts = Object.entries(values).map(([name, value]) => [name, String(value).slice(0, 1_000)]);
  return texts.length === 0 ? undefined : Object.fromEntries(texts.slice(0, 20));
}
