import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccountData, eraseAccount, exportAccount } from '@tickrate/accounts';
import { objectNotFound, readErasureMode } from '@tickrate/contract';
import { erasureStatement } from '@tickrate/pipeline';
import { answered } from '@tickrate/platform';
import {
  anyKeyRoute,
  requireRecentSignIn,
  type SessionCaller,
  selfOf,
  sessionRoute,
} from '../callers/caller.ts';
import type { AuthParts } from '../parts.ts';
import * as operations from './erasure-operations.ts';

export const exportAll = sessionRoute(operations.exportAccount, async (parts, call) => {
  const { response } = call.context;
  const data = await exportAccount(parts.accounts, selfOf(call));
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="account.json"',
    'Cache-Control': 'no-store',
  });
  const document = documentOf(parts, data, { call, signal: leaving.signal });
  await pipeline(Readable.from(document, { highWaterMark: 1 }), response);
  return answered;
});

/** One JSON document. It ends with `complete` only if nothing is missing: a truncated document is invalid JSON. */
async function* documentOf(
  parts: AuthParts,
  { account, lists }: AccountData,
  { call, signal }: { readonly call: SessionCaller; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { project_id: projectId, account_id: accountId } = call.session;
  const named = [...lists.sessions, ...lists.roles].flatMap((row) =>
    'projectId' in row ? [String(row.projectId)] : [],
  );
  const request = { accountId, projectIds: [...new Set([projectId, ...named])].sort(), signal };
  yield `{"account":${JSON.stringify(account)}`;
  for (const [name, list] of Object.entries(lists)) yield `,"${name}":${JSON.stringify(list)}`;
  yield ',"events":[';
  yield* joined(eventsOf(parts, request));
  yield '],"quarantined":[';
  yield* joined(quarantinedOf(parts, request));
  yield '],"complete":true}';
}

async function* joined(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let between = '';
  for await (const text of texts) {
    yield between + text;
    between = ',\n';
  }
}

interface EventsAsked {
  readonly accountId: string;
  readonly projectIds: readonly string[];
  readonly signal: AbortSignal;
}

/** How far the clock of a gateway may be ahead. */
const clockMarginMs = 60_000;

/** The stored events: the JSON text of one event each, read while they are consumed. */
async function* eventsOf(
  { warehouse, accounts }: AuthParts,
  { accountId, projectIds, signal }: EventsAsked,
): AsyncGenerator<string> {
  if (warehouse === null) return;
  const receivedUntilMs = accounts.now() + clockMarginMs;
  for (const projectId of projectIds) {
    const pages = warehouse.exportAccount({ projectId, accountId, receivedUntilMs }, signal);
    for await (const page of pages)
      yield* page
        .toString()
        .split('\n')
        .filter((line) => line !== '');
  }
}

/** Rejected events and dead letters. */
async function* quarantinedOf(
  { quarantine }: AuthParts,
  { accountId, projectIds, signal }: EventsAsked,
): AsyncGenerator<string> {
  for (const projectId of projectIds) {
    for await (const entry of quarantine.exportAccount(projectId, accountId)) {
      signal.throwIfAborted();
      yield JSON.stringify(entry);
    }
  }
}

export const erase = sessionRoute(operations.eraseAccount, async (parts, call) => {
  requireRecentSignIn(parts, call.session);
  return eraseAccount(parts.accounts, selfOf(call), {
    statementOf: erasureStatement,
    modeOf: async (tx, projectId) =>
      readErasureMode((await parts.registry.inTransaction(tx).policies(projectId)).get('erasure')),
  });
});

/** Any caller who knows the id: only the account received it, and the answer contains nothing about the account. */
export const progress = anyKeyRoute(
  operations.readErasure,
  async ({ erasures }, { caller, params: { id } }) => {
    const erasure = await erasures.find(id);
    if (erasure === null || erasure.projectId !== caller.principal.projectId) {
      throw objectNotFound('erasure', id);
    }
    return { id, state: erasure.state, certificate: erasure.certificate };
  },
);
