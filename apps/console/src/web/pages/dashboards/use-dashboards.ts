import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, type RowOf } from '../../api/call.ts';
import { everyPage } from '../../api/every-page.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { type DashboardRow, openingSearch } from './range-of-dashboard.ts';

/** Opens a dashboard, with the time range that it opens with. */
export function useOpenDashboard(): (dashboard: DashboardRow) => void {
  const navigate = useNavigate({ from: '/p/$projectId' });
  return ({ id, content }) =>
    void navigate({ to: '/p/$projectId/dashboards/$id', params: { id }, ...openingSearch(content) });
}

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
export function useSavedQueries(): UseQueryResult<RowOf<'GET /v1/saved-queries'>[]> {
  const projectId = useProjectId();
  return useQuery({
    queryKey: [projectId, 'GET /v1/saved-queries', 'all'],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        call('GET /v1/saved-queries', { query: { limit: 200, cursor }, projectId, signal }),
      ),
  });
}
