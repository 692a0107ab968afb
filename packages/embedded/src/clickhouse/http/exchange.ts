import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExternalTable } from '../request/request-form.ts';
import type { RequestParams } from '../request/request-params.ts';

/** One request for a query and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: RequestParams;
  readonly queryId: string;
  readonly tables: readonly ExternalTable[];
  readonly headers: Readonly<Record<string, string>>;
}
