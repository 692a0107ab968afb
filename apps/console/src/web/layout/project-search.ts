import type { SearchSchemaInput } from '@tanstack/react-router';
import { isTimeZone, readPreferences } from '../look/preferences.ts';
import { readRangeText } from '../time/time-range.ts';

/** What the address of every page of a project contains. */
export interface ProjectSearch {
  readonly range: string;
  readonly zone: string;
}

/** A link may leave either out: it then keeps what the page has. */
export function readProjectSearch(search: Partial<ProjectSearch> & SearchSchemaInput): ProjectSearch {
  return {
    range: readRangeText(search.range),
    zone: isTimeZone(search.zone) ? search.zone : readPreferences().zone,
  };
}
