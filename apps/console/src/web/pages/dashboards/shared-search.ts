import type { SearchSchemaInput } from '@tanstack/react-router';
import { isTimeZone } from '../../look/preferences.ts';
import { parseRange } from '../../time/time-range.ts';
import { type DashboardSearch, readDashboardSearch } from './dashboard-search.ts';

/** Undefined until the page knows the dashboard, which has a range and a zone of its own. */
interface SharedSearch {
  readonly range?: string | undefined;
  readonly zone?: string | undefined;
  readonly values?: DashboardSearch['values'];
}

export function readSharedSearch({ range, zone, values }: SharedSearch & SearchSchemaInput): SharedSearch {
  return {
    range: typeof range === 'string' && parseRange(range) !== null ? range : undefined,
    zone: isTimeZone(zone) ? zone : undefined,
    values: readDashboardSearch({ values } as DashboardSearch & SearchSchemaInput).values,
  };
}
