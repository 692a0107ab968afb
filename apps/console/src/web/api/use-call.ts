import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { type AnswerOf, type CallName, call, type InputOf, type RowOf } from './call.ts';
import type { ListPage } from './every-page.ts';
import { lookAgainAfter } from './look-again.ts';
import type { Problem } from './problem.ts';
import { refetchAfter } from './query-client.ts';
import { isHeavy, readsEvents, withQueryPermit } from './query-permits.ts';
import { useProjectId } from './use-project-id.ts';

interface UseCallOptions<T = unknown> {
  readonly enabled?: boolean;
  /** Load it again after this time, while the page is visible. A function decides by the last answer and error. */
  readonly everyMs?: number | ((answer: T | undefined, error: Error | null) => number | undefined);
  /** Part of the identity of the answer, for what is not in the input, such as a relative time range. */
  readonly key?: string;
}

/** The answer of a call in the current project. The call is cancelled when the page is left. */
export function useCall<N extends CallName>(
  name: N,
  input?: InputOf<N>[0] | (() => InputOf<N>[0]),
  options: UseCallOptions<AnswerOf<N>> = {},
): UseQueryResult<AnswerOf<N>, Error> {
  const projectId = useProjectId();
  const { enabled = true, everyMs, key } = options;
  return useQuery<AnswerOf<N>, Error>({
    queryKey: [projectId, name, key ?? input],
    enabled,
    refetchInterval: ({ state }) =>
      (typeof everyMs === 'function' ? everyMs(state.data, state.error) : everyMs) ??
      ((readsEvents(name) && lookAgainAfter(state.data, state.dataUpdateCount)) || refetchAfter(state.error)),
    placeholderData: keepPreviousOf(projectId),
    queryFn: ({ signal }) => {
      const sent = typeof input === 'function' ? input() : input;
      return sendCall(name, { ...sent, projectId, signal });
    },
  });
}

/** Another range or filter keeps what is shown until its answer is there. Another project never does. */
function keepPreviousOf(projectId: string) {
  return <T>(previous: T | undefined, query: { readonly queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[0] === projectId ? keepPreviousData(previous) : undefined;
}

interface Sent {
  readonly projectId: string;
  readonly signal: AbortSignal;
}

function sendCall<N extends CallName>(name: N, sent: Sent): Promise<AnswerOf<N>> {
  // The input was checked against the call's name where the hook was used; here the name is open.
  const send = call as (name: N, input: Sent) => Promise<AnswerOf<N>>;
  return isHeavy(name) ? withQueryPermit(sent.signal, () => send(name, sent)) : send(name, sent);
}

interface UseActOptions<N extends CallName> {
  /** Lists and objects that the act changes. They are loaded again before `onDone`. */
  readonly changes?: readonly CallName[];
  readonly onDone?: (answer: AnswerOf<N>) => void;
}

/** A call that changes something in the current project. */
export function useAct<N extends CallName>(
  name: N,
  { changes = [], onDone }: UseActOptions<N> = {},
): UseMutationResult<AnswerOf<N>, Problem, InputOf<N>[0]> {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation<AnswerOf<N>, Problem, InputOf<N>[0]>({
    mutationFn: (input) => {
      const send = call as (name: N, input: object) => Promise<AnswerOf<N>>;
      return send(name, { ...input, projectId });
    },
    onSuccess: async (answer) => {
      await Promise.all(changes.map((each) => client.invalidateQueries({ queryKey: [projectId, each] })));
      onDone?.(answer);
    },
  });
}

/** The rows of a list, page by page. `query` is a UseQueryResult for PageState. */
export function useList<N extends CallName>(
  name: N,
  input?: InputOf<N>[0],
  options: { enabled?: boolean; everyMs?: number } = {},
) {
  const projectId = useProjectId();
  const { enabled = true, everyMs } = options;
  const query = useInfiniteQuery({
    queryKey: [projectId, name, 'list', input],
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => {
      const sent = (input ?? {}) as { readonly query?: unknown };
      const given = typeof sent.query === 'object' ? sent.query : {};
      const send = call as unknown as (name: N, input: object) => Promise<ListPage<RowOf<N>>>;
      return send(name, { ...sent, query: { limit: 100, ...given, cursor: pageParam }, projectId, signal });
    },
    getNextPageParam: (page) => page.next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ results }) => results),
  });
  return {
    // An infinite query has all that a query has.
    query: query as unknown as UseQueryResult<RowOf<N>[], Error>,
    /** Loads the next page. Undefined on the last one. */
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}
