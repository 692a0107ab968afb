import { findProjectOwner } from '@tickrate/accounts';
import { parameterInvalid, type SystemError, systemError } from '@tickrate/contract';
import type { RequestContext } from '@tickrate/platform';
import type { AnalysisResult, QueryResult } from '@tickrate/warehouse';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';

/** Fires when the client disconnects before it has its answer. */
export function signalOf({ response }: Pick<RequestContext, 'response'>): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Null if the client has disconnected: that is not a failure of ours. */
export async function unlessLeft<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return null;
    throw error;
  }
}

/** Throws the refusal of an analysis that did not run. */
export function rowsOf<Row>(result: AnalysisResult<Row>) {
  if (result.kind !== 'rows') throw refusalOf(result, 'to');
  return result;
}

/** `location` is the parameter at fault. */
export function refusalOf(result: Exclude<QueryResult, { kind: 'rows' }>, location: string): SystemError {
  if (result.kind === 'unavailable') return systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
  if (result.kind === 'busy')
    return systemError('rateLimited', { retryAfterSeconds: result.retryAfterSeconds });
  const { reason, message } = result;
  const plain = parameterInvalid(location, message);
  const fault = { domain: 'query', location, locationType: 'body', message, reason };
  return systemError(
    'parameterInvalid',
    { ...plain.data, queryFailureErrors: [fault] },
    { message: plain.message, fields: `${location}: ${message}` },
  );
}

/** The project of the caller, the owner whose budget pays, and a signal for when the caller disconnects. */
export async function askerOf(
  parts: ConsoleParts,
  { projectId, queryOwner }: Caller,
  context: RequestContext,
) {
  const signal = signalOf(context);
  return { projectId, owner: queryOwner ?? (await findQueryOwner(parts, projectId)), signal };
}

/**
 * Whose budget a project's queries count against: the account that owns it. Without one, the owner of the project whose
 * key made it, and so on up to the first project, so that a key gets no further budget with every project that it makes.
 */
export async function findQueryOwner(
  { accounts, registry }: Pick<ConsoleParts, 'accounts' | 'registry'>,
  projectId: string,
): Promise<string> {
  const own = await findProjectOwner(accounts, projectId);
  if (own !== null) return own;
  const lineage = await registry.projectLineage(projectId);
  for (const maker of lineage.slice(1)) {
    const owner = await findProjectOwner(accounts, maker);
    if (owner !== null) return owner;
  }
  return lineage.at(-1) ?? projectId;
}
