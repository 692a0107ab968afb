import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AccountData, Accounts } from '@tickrate/accounts';
import { readErasureMode, systemError } from '@tickrate/contract';
import { type Erasures, erasureStatement } from '@tickrate/pipeline';
import { answered } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import type { AccountEvents } from '../account-events.ts';
import {
  type AnyCall,
  anyKeyRoute,
  requireRecentSignIn,
  type SessionCaller,
  selfOf,
  sessionRoute,
} from '../callers/call.ts';
import * as operations from './erasure-operations.ts';

export interface ErasureRouteDeps {
  readonly accounts: Pick<Accounts, 'erasures'>;
  readonly now: () => number;
  readonly events: AccountEvents;
  readonly erasures: Pick<Erasures, 'find'>;
  readonly registry: Pick<Registry, 'inTransaction'>;
}

/** The calls with which the owner of an account exports and erases all its data. */
export function createErasureRoutes(deps: ErasureRouteDeps) {
  return {
    export: sessionRoute(operations.exportAccount, (call) => exportAccount(deps, call)),
    erase: sessionRoute(operations.eraseAccount, (call) => erase(deps, call)),
    erasure: anyKeyRoute(operations.readErasure, (call) => readErasure(deps, call)),
  };
}

async function exportAccount(
  { accounts, events }: ErasureRouteDeps,
  call: SessionCaller,
): Promise<typeof answered> {
  const { response } = call.context;
  const { account_id: accountId, id } = call.session;
  const exported = await accounts.erasures.export(selfOf(call));
  // Clients sleep for the whole delay of 6002, so the answer never names more than a minute.
  if (exported.kind === 'limited') {
    throw systemError('rateLimited', { retryAfterSeconds: Math.min(60, Math.ceil(exported.waitMs / 1_000)) });
  }
  if (exported.kind === 'unknown') throw systemError('sessionExpired', { invalidSessionId: id });
  const { data } = exported;
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const request = { accountId, projectIds: projectsOf(call, data), signal: leaving.signal };
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="account.json"',
    'Cache-Control': 'no-store',
  });
  await pipeline(Readable.from(documentOf(data, events, request), { highWaterMark: 1 }), response);
  return answered;
}

/** One JSON document. It ends with `complete` only if nothing is missing: a truncated document is invalid JSON. */
async function* documentOf(
  { account, lists }: AccountData,
  { events, quarantined }: AccountEvents,
  request: Parameters<AccountEvents['events']>[0],
): AsyncGenerator<string> {
  yield `{"account":${JSON.stringify(account)}`;
  for (const [name, list] of Object.entries(lists)) yield `,"${name}":${JSON.stringify(list)}`;
  yield ',"events":[';
  yield* joined(events(request));
  yield '],"quarantined":[';
  yield* joined(quarantined(request));
  yield '],"complete":true}';
}

async function* joined(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let between = '';
  for await (const text of texts) {
    yield between + text;
    between = ',\n';
  }
}

function projectsOf({ session }: SessionCaller, { lists }: AccountData): string[] {
  const named = [...lists.sessions, ...lists.roles].flatMap((row) =>
    'projectId' in row ? [String(row.projectId)] : [],
  );
  return [...new Set([session.project_id, ...named])].sort();
}

async function erase({ accounts, now, registry }: ErasureRouteDeps, call: SessionCaller) {
  const { session } = call;
  requireRecentSignIn(session, now());
  const outcome = await accounts.erasures.erase(selfOf(call), {
    statementOf: erasureStatement,
    modeOf: async (tx, projectId) =>
      readErasureMode((await registry.inTransaction(tx).policies(projectId)).get('erasure')),
  });
  if (outcome === 'unknown') throw systemError('sessionExpired', { invalidSessionId: session.id });
  if (outcome === 'lastAdministrator') {
    throw systemError('objectNotEditable', { objectNotEditableReason: 'lastAdministrator' });
  }
  return outcome;
}

/** Any caller who knows the id: only the account received it, and the answer contains nothing about the account. */
async function readErasure(
  { erasures }: ErasureRouteDeps,
  { caller, params: { id } }: AnyCall<typeof operations.readErasure>,
) {
  const erasure = await erasures.find(id);
  if (erasure === null || erasure.projectId !== caller.principal.projectId) {
    throw systemError('objectNotFound', { objectType: 'erasure', invalidIdentifier: id });
  }
  return { id, state: erasure.state, certificate: erasure.certificate };
}
