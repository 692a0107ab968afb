import { parameterInvalid, type SystemError, systemError } from '@tickrate/contract';
import type { RequestContext } from '@tickrate/platform';
import type { AnalysisResult, QueryResult } from '@tickrate/warehouse';

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
