import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, call } from './call.ts';

export type PageSession = AnswerOf<'GET /session'>;

/** The session of this browser. Rejects with a problem for which `isSignedOut` is true when there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('GET /session', { signal }),
  staleTime: 60_000,
});

/** Asks for the session again: a call was refused as if it had ended. */
export function checkSession(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: sessionQuery.queryKey }, { cancelRefetch: false });
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await call('GET /v1/projects', { query: { limit: 200 }, signal })).results,
  staleTime: 60_000,
});

/** Whether mails with codes stay in the outbox because no mail server is configured. Needs no session. */
export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => call('GET /session/mail', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The provider that signs administrators in, besides passwords or instead of them. Needs no session. */
export const providerQuery = queryOptions({
  queryKey: ['provider'],
  queryFn: ({ signal }) => call('GET /session/provider', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  // The form waits for it, and shows the password without it.
  retry: false,
});

/** Moves the session to the project. Does nothing if it is there. */
export async function openProject(projectId: string): Promise<void> {
  const session = await call('GET /session');
  if (session.projectId !== projectId) await call('PUT /session/project', { body: { projectId } });
}
