import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportOtherProject } from '../layout/session/session-state.ts';
import { isSignedOut, Problem } from './problem.ts';
import { checkSession, sessionQuery } from './session.ts';

const retryUnreachableMs = 2_000;

/** Keeps what was loaded, loads it again when the server returns, and never twice at once. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown, projectId: unknown) => {
    // The session itself fails with this too, and is not asked again because of it.
    if (isSignedOut(error) && projectId !== sessionQuery.queryKey[0]) void checkSession(client);
    if (error instanceof Problem && error.reason === 'sessionInOtherProject')
      reportOtherProject(typeof projectId === 'string' ? projectId : null);
  };
  const client = new QueryClient({
    // `useCall` begins its keys with the project.
    queryCache: new QueryCache({ onError: (error, { queryKey: [projectId] }) => onError(error, projectId) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error, null) }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        gcTime: 5 * 60_000,
        retry: (count, error) => count < 2 && isPassing(error),
        retryDelay: (count) => 500 * 2 ** count,
        refetchOnWindowFocus: false,
        // A server that is back is noticed without reloading the page.
        refetchInterval: ({ state }) => refetchAfter(state.error),
      },
      mutations: { retry: false },
    },
  });
  return client;
}

/** The time after which a failed call is sent again by itself, or false. */
export function refetchAfter(error: unknown): number | false {
  return isUnreachable(error) ? retryUnreachableMs : false;
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof Problem && error.reason === 'unreachable';
}

function isPassing(error: unknown): boolean {
  return error instanceof Problem && (error.status === 503 || error.status === 429) && error.code !== 4008;
}
