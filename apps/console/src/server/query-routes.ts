import { pipeline } from 'node:stream/promises';
import { parameterInvalid, type SystemError, systemError } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { QueryResult, Warehouse } from '@tickrate/warehouse';
import { type ManagedRoute, managed } from './managed.ts';
import { type PersonalRegistry, requirePersonal } from './personal-members.ts';
import { runQuery } from './query-operations.ts';

export interface QueryRouteDeps {
  readonly registry: PersonalRegistry;
  readonly warehouse: Pick<Warehouse, 'runQuery'>;
}

export function createQueryRoutes({ registry, warehouse }: QueryRouteDeps): ManagedRoute[] {
  return [
    managed(runQuery, async ({ caller, context, body: { sql, parameters, format = 'JSON' } }) => {
      await requirePersonal(caller, registry);
      const signal = signalOf(context);
      const { projectId } = caller;
      const result = await warehouse.runQuery({ projectId, sql, parameters, format, signal });
      if (result.kind !== 'rows') throw refusalOf(result);
      await sendRows(context, result);
      return answered;
    }),
  ];
}

/** Fires when the client is gone before it has its answer. */
function signalOf({ response }: RequestContext): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
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
  // A fault midway cuts the answer off: its length is not told, so every client sees that the end is missing.
  await pipeline(stream, response).catch(() => response.destroy());
}

function refusalOf(result: Exclude<QueryResult, { kind: 'rows' }>): SystemError {
  if (result.kind === 'unavailable') return systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
  if (result.kind === 'busy') return systemError('rateLimited', { retryAfterSeconds: 1 });
  const { reason, message } = result;
  const plain = parameterInvalid('sql', message);
  const fault = { domain: 'query', location: 'sql', locationType: 'body', message, reason };
  return systemError(
    'parameterInvalid',
    { ...plain.data, queryFailureErrors: [fault] },
    { message: plain.message, fields: `sql: ${message}` },
  );
}
