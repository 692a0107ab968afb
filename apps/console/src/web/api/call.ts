import type { CallAnswer, CallArguments, CallBody, CallRow, OperationName } from '@tickrate/contract';
import type { ManagementOperation, PageOperation } from '../../operations.ts';
import { problemOf, unreachable } from './problem.ts';

type AnyOperation = ManagementOperation | PageOperation;

/** `POST /v1/keys`: a method and a path, as the operations describe them. */
export type CallName = OperationName<AnyOperation>;
export type AnswerOf<N extends CallName> = CallAnswer<AnyOperation, N>;
export type BodyOf<N extends CallName> = CallBody<AnyOperation, N>;
export type RowOf<N extends CallName> = CallRow<AnyOperation, N>;
export type InputOf<N extends CallName> = CallArguments<AnyOperation, N, CallOptions>;

interface CallOptions {
  /** Ends the call, and the query behind it, when the page no longer needs the answer. */
  readonly signal?: AbortSignal;
  /** The project that the page shows. The server refuses the call if the session is in another one by now. */
  readonly projectId?: string;
  readonly idempotencyKey?: string;
  readonly lastEventId?: string | null;
}

/**
 * Calls the console's server. Resolves with the answer. Throws a Problem with the reason of the refusal. A wrong path,
 * parameter, body or member of the answer does not compile.
 */
export async function call<N extends CallName>(name: N, ...input: InputOf<N>): Promise<AnswerOf<N>> {
  const answer = await callForAnswer(name, ...input);
  // The server's own tests check every answer against the operation that this type is made from.
  return JSON.parse(await answer.text()) as AnswerOf<N>;
}

interface SentParts extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Like `call`, for an answer that is not JSON, or that is read as it arrives. */
export async function callForAnswer<N extends CallName>(name: N, ...[input]: InputOf<N>): Promise<Response> {
  const sent: SentParts = input ?? {};
  const { params = {}, query = {}, body, signal, projectId, idempotencyKey, lastEventId = null } = sent;
  const [method = '', template = ''] = name.split(' ');
  const url = new URL(
    template.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(String(params[param]))),
    location.origin,
  );
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  const answer = await fetch(url, {
    method,
    headers: {
      'X-Tickrate-Console': '1',
      ...(projectId !== undefined && { 'X-Tickrate-Project': projectId }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(lastEventId !== null && { 'Last-Event-ID': lastEventId }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted === true ? error : unreachable(error);
  });
  if (!answer.ok) throw problemOf(answer.status, await answer.text());
  return answer;
}

export interface ListPage<R> {
  readonly results: readonly R[];
  readonly next: string | null;
}

export async function everyPage<R>(read: (cursor: string | undefined) => Promise<ListPage<R>>): Promise<R[]> {
  const rows: R[] = [];
  let cursor: string | undefined;
  do {
    const { results, next } = await read(cursor);
    rows.push(...results);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}
