import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut, Problem } from './problem.ts';

interface ClientEvents {
  /** The session ended while a page was open. */
  readonly onSignedOut: () => void;
  /** Another tab moved the session to another project. */
  readonly onOtherProject: () => void;
}

const retryUnreachableMs = 2_000;

/** Keeps what was loaded, loads it again when the server returns, and never twice at once. */
export function createQueryClient({ onSignedOut, onOtherProject }: ClientEvents): QueryClient {
  const onError = (error: unknown) => {
    if (isSignedOut(error)) onSignedOut();
    if (error instanceof Problem && error.reason === 'sessionInOtherProject') onOtherProject();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
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
