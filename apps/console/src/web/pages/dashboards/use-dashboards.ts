import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, type RowOf } from '../../api/call.ts';
import { everyPage, type ListPage } from '../../api/every-page.ts';
import { useProjectId } from '../../api/use-project-id.ts';
import { type DashboardRow, openingSearch } from './range-of-dashboard.ts';

/** Opens a dashboard, with the time range that it opens with. */
export function useOpenDashboard(): (dashboard: DashboardRow) => void {
  const navigate = useNavigate({ from: '/p/$projectId' });
  return ({ id, content }) =>
    void navigate({ to: '/p/$projectId/dashboards/$id', params: { id }, ...openingSearch(content) });
}

type NamedList = 'GET /v1/dashboards' | 'GET /v1/saved-queries';

/** Every dashboard or saved query of the project, by name. */
export function useEvery<N extends NamedList>(name: N): UseQueryResult<RowOf<N>[]> {
  const projectId = useProjectId();
  const send = call as unknown as (name: N, input: object) => Promise<ListPage<RowOf<N>>>;
  return useQuery({
    queryKey: [projectId, name, 'all'],
    queryFn: ({ signal }) =>
      everyPage((cursor) => send(name, { query: { limit: 200, cursor }, projectId, signal })),
  });
}
