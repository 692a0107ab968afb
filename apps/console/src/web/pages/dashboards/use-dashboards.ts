import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call, type RowOf } from '../../api/call.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import type { DashboardRow } from './range-of-dashboard.ts';

type SavedQuery = RowOf<'GET /v1/saved-queries'>;

/** Every dashboard of the project, by name. */
export function useDashboards(): UseQueryResult<DashboardRow[]> {
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'GET /v1/dashboards', 'all'],
    queryFn: ({ signal }) =>
      everyPage((cursor) => call('GET /v1/dashboards', { query: { limit: 200, cursor }, projectId, signal })),
  });
}

/** Every saved query of the project, by name. */
export function useSavedQueries(): UseQueryResult<SavedQuery[]> {
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'GET /v1/saved-queries', 'all'],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        call('GET /v1/saved-queries', { query: { limit: 200, cursor }, projectId, signal }),
      ),
  });
}

interface ListPage<R> {
  readonly results: readonly R[];
  readonly next: string | null;
}

async function everyPage<R>(read: (cursor: string | undefined) => Promise<ListPage<R>>): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | undefined;
  do {
    const { results, next } = await read(cursor);
    rows.push(...results);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}
