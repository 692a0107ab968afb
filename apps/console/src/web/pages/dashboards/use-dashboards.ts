import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call, everyPage, type ListPage, type RowOf } from '../../api/call.ts';
import { useProjectId } from '../../api/use-call.ts';
import { parseRange, resolveRange, timesOf } from '../../time/time-range.ts';

export type DashboardRow = RowOf<'GET /v1/dashboards'>;
export type Content = DashboardRow['content'];
export type Tile = Content['tiles'][number];

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

/** The range of a dashboard as an address has it. Undefined if it has none that a page can show. */
function rangeTextOf({ range }: Content): string | undefined {
  if (range === undefined) return undefined;
  const text = 'from' in range ? `${range.from}..${range.to}` : lastText(range.lastSeconds);
  return parseRange(text) === null ? undefined : text;
}

/** The range of a page as a dashboard keeps it. */
export function rangeOfText(text: string): Content['range'] {
  const range = parseRange(text);
  if (range === null) return undefined;
  const resolved = resolveRange(text, 0);
  return range.kind === 'last'
    ? { lastSeconds: (resolved.toMs - resolved.fromMs) / 1_000 }
    : timesOf(resolved);
}

/** What opens a dashboard with the range that it was built for. Without one, it gets that of the page before. */
export function openingSearch(content: Content): { readonly search?: { readonly range: string } } {
  const range = rangeTextOf(content);
  return range === undefined ? {} : { search: { range } };
}

/** The range and the time zone in which a link shows the dashboard. */
export function sharedTimesOf(content: Content): { readonly range: string; readonly zone: string } {
  return { range: rangeTextOf(content) ?? '7d', zone: content.timeZone ?? 'UTC' };
}

function lastText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return `${Math.max(1, Math.round(seconds / 60))}m`;
}
