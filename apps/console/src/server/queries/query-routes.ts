import { pipeline } from 'node:stream/promises';
import type { Queryable } from '@tickrate/accounts';
import { parameterInvalid, parseExactDocument, type SystemError, systemError } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { RegistryManagement } from '@tickrate/registry';
import type { QueryResult, Warehouse } from '@tickrate/warehouse';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { maskedTypes, type PersonalRegistry } from '../event-types/personal-members.ts';
import { runQuery } from './query-operations.ts';
import { findQueryOwner } from './query-owner.ts';

export interface QueryRouteDeps {
  readonly accounts: Queryable;
  readonly registry: PersonalRegistry & Pick<RegistryManagement, 'projectLineage'>;
  readonly warehouse: Pick<Warehouse, 'runQuery'>;
}

export function createQueryRoutes({ accounts, registry, warehouse }: QueryRouteDeps): ManagedRoute[] {
  return [
    managed(runQuery, async ({ caller, context, bytes, body: { sql, format = 'JSON' } }) => {
      const masked = await maskedTypes(caller, registry);
      const signal = signalOf(context);
      const { projectId } = caller;
      const parameters = exactParameters(bytes);
      const owner = await findQueryOwner({ accounts, registry }, projectId);
      const asked = warehouse.runQuery({ projectId, owner, sql, parameters, format, signal, masked });
      const result = await unlessLeft(asked, signal);
      if (result === null) return answered;
      if (result.kind !== 'rows') throw refusalOf(result);
      await sendRows(context, result);
      return answered;
    }),
  ];
}

/** The body was already checked. This keeps every digit of integers beyond 2^53, such as Steam ids. */
function exactParameters(bytes: Buffer): Record<string, unknown> | undefined {
  const body = parseExactDocument(bytes);
  const parameters = body instanceof Map ? body.get('parameters') : undefined;
  return parameters instanceof Map ? Object.fromEntries(parameters) : undefined;
}

/** Fires when the client disconnects before it has its answer. */
function signalOf({ response }: RequestContext): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Null if the client has disconnected: that is not a failure of ours. */
async function unlessLeft(asked: Promise<QueryResult>, signal: AbortSignal): Promise<QueryResult | null> {
  try {
    return await asked;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
}

async function sendRows(
  context: RequestContext,
  { stream, contentType }: Extract<QueryResult, { kind: 'rows' }>,
): Promise<void> {
  const { response } = context;
  response.writeHead(200, ['Content-Type', contentType, 'Cache-Control', 'no-store']);
  stream.on('data', (part: Buffer) => {
    context.answerBytes += part.length;
  });
  // A failure cuts the answer off. It has no Content-Length, so every client sees that the end is missing.
  await pipeline(stream, response).catch(() => response.destroy());
}

function refusalOf(result: Exclude<QueryResult, { kind: 'rows' }>): SystemError {
  if (result.kind === 'unavailable') return systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
  if (result.kind === 'busy')
    return systemError('rateLimited', { retryAfterSeconds: result.retryAfterSeconds });
  const { reason, message } = result;
  const plain = parameterInvalid('sql', message);
  const fault = { domain: 'query', location: 'sql', locationType: 'body', message, reason };
  return systemError(
    'parameterInvalid',
    { ...plain.data, queryFailureErrors: [fault] },
    { message: plain.message, fields: `sql: ${message}` },
  );
}
