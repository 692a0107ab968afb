import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { beginMove } from '../layout/session/session-state.ts';
import { useTime } from '../layout/use-time.ts';
import { type AnswerOf, type CallName, call, type InputOf, type ListPage, type RowOf } from './call.ts';
import { lookAgainAfter } from './look-again.ts';
import type { Problem } from './problem.ts';
import { refetchAfter } from './query-client.ts';
import { isHeavy, readsEvents, withQueryPermit } from './query-permits.ts';

interface UseCallOptions<T = unknown> {
  readonly enabled?: boolean;
  /** Load it again after this time, while the page is visible. A function decides by the last answer and error. */
  readonly everyMs?: number | ((answer: T | undefined, error: Error | null) => number | undefined);
  /** The identity of the answer. The default is the input, with the range of the page as its address has it. */
  readonly key?: string;
}

interface Times {
  readonly from: string;
  readonly to: string;
}

/**
 * The answer of a call in the current project. The call is cancelled when the page is left. An input that is a function gets the
 * times of the page's range when it is loaded.
 */
export function useCall<N extends CallName>(
  name: N,
  input?: InputOf<N>[0] | ((times: Times) => InputOf<N>[0]),
  options: UseCallOptions<AnswerOf<N>> = {},
): UseQueryResult<AnswerOf<N>, Error> {
  const projectId = useProjectId();
  const { range, times } = useTime();
  const { enabled = true, everyMs, key } = options;
  const inputOver = (over: Times) => (typeof input === 'function' ? input(over) : input);
  return useQuery<AnswerOf<N>, Error>({
    queryKey: [projectId, name, key ?? inputOver({ from: range, to: range })],
    enabled,
    refetchInterval: ({ state }) =>
      (typeof everyMs === 'function' ? everyMs(state.data, state.error) : everyMs) ??
      ((readsEvents(name) && lookAgainAfter(state.data, state.dataUpdateCount)) || refetchAfter(state.error)),
    placeholderData: keepPreviousOf(projectId),
    queryFn: ({ signal }) => sendCall(name, { ...inputOver(times()), projectId, signal }),
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
  /** The server moves the session out of the project of the page before it answers. */
  readonly movesSession?: boolean;
}

/** A call that changes something in the current project. */
export function useAct<N extends CallName>(
  name: N,
  { changes = [], onDone, movesSession = false }: UseActOptions<N> = {},
): UseMutationResult<AnswerOf<N>, Problem, InputOf<N>[0]> {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation<AnswerOf<N>, Problem, InputOf<N>[0], () => void>({
    onMutate: () => (movesSession ? beginMove() : () => undefined),
    onError: (_error, _input, endMove) => endMove?.(),
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
    queryFn: ({ signal, pageParam: cursor }) => {
      const { query, body, ...sent } = { ...input } as { readonly query?: object; readonly body?: object };
      const page =
        body === undefined ? { query: { limit: 100, ...query, cursor } } : { body: { ...body, cursor } };
      const send = call as unknown as (name: N, input: object) => Promise<ListPage<RowOf<N>>>;
      return send(name, { ...sent, ...page, projectId, signal });
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

export function useProjectId(): string {
  const { projectId } = useParams({ strict: false });
  if (projectId === undefined) throw new Error('This part belongs to a page of a project');
  return projectId;
}

const settledMs = 300;

/** The value once it has not changed for a moment, so that the server is asked when typing pauses. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
