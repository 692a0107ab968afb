/** One line of JSON for each request that failed. */
export interface RequestLog {
  failed(entry: FailedRequest): void;
}

export interface FailedRequest {
  readonly queryId: string;
  readonly method: string;
  readonly status: number;
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly ms: number;
}

const MESSAGE_CHARS = 500;

export function createRequestLog(write: (line: string) => void): RequestLog {
  return {
    failed: (entry) =>
      write(
        JSON.stringify({
          level: 'warn',
          event: 'clickhouse.request.failed',
          ...entry,
          message: entry.message.slice(0, MESSAGE_CHARS),
        }),
      ),
  };
}
