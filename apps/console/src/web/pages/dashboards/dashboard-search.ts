import type { SearchSchemaInput } from '@tanstack/react-router';

export interface DashboardSearch {
  /** Values of the filters that differ from the defaults of the dashboard. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** In seconds; 0 never loads again by itself. The default is the one of the dashboard. */
  readonly refresh?: number | undefined;
}

export function readDashboardSearch({
  values,
  refresh,
}: DashboardSearch & SearchSchemaInput): DashboardSearch {
  const seconds = Number(refresh);
  return {
    values: readValues(values),
    refresh: refresh !== undefined && seconds >= 0 && seconds <= 86_400 ? seconds : undefined,
  };
}

function readValues(values: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined;
  const texts = Object.entries(values).map(([name, value]) => [name, String(value).slice(0, 1_000)]);
  return texts.length === 0 ? undefined : Object.fromEntries(texts.slice(0, 20));
}
