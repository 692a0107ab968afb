import { setTimeout } from 'node:timers/promises';
import { type Engine, ID_SETTING } from '../engine/engine.ts';
import { isTrue, type RequestParams } from '../request/request-params.ts';
import { stringLiteral } from '../sql/literal.ts';

/** The rows and bytes that a running query has read, as values of `X-ClickHouse-Progress`. */
export interface Progress {
  /** The latest, oldest first. */
  lines(): readonly string[];
  stop(): void;
}

const INTERVAL_MS = 100;
/** A client accepts about 16 KiB of headers. */
const MOST_LINES = 20;
const SILENT: Progress = { lines: () => [], stop: () => undefined };

/** Reads the progress of the query with this id at intervals, if the request has `send_progress_in_http_headers`. */
export function watchProgress(engine: Engine, queryId: string, { settings }: RequestParams): Progress {
  if (!isTrue(settings.get('send_progress_in_http_headers'))) return SILENT;
  const asked = Number(settings.get('http_headers_progress_interval_ms') ?? INTERVAL_MS);
  const lines: string[] = [];
  const stopped = new AbortController();
  void watch(engine, { queryId, lines, ms: Math.max(asked || 0, INTERVAL_MS), signal: stopped.signal });
  return { lines: () => lines, stop: () => stopped.abort() };
}

interface Watched {
  readonly queryId: string;
  readonly lines: string[];
  readonly ms: number;
  readonly signal: AbortSignal;
}

async function watch(engine: Engine, { queryId, lines, ms, signal }: Watched): Promise<void> {
  const sql = `SELECT toString(read_rows) AS read_rows, toString(read_bytes) AS read_bytes,
toString(total_rows_approx) AS total_rows_to_read, toString(toUInt64(elapsed * 1e9)) AS elapsed_ns
FROM system.processes WHERE Settings['${ID_SETTING}'] = ${stringLiteral(queryId)} LIMIT 1`;
  const connection = engine.connect();
  try {
    while (await setTimeout(ms, true, { signal }).catch(() => false)) {
      const { bytes } = await connection.query(sql, 'JSONEachRow');
      const line = Buffer.from(bytes).toString().trim();
      if (line !== '' && lines.push(line) > MOST_LINES) lines.shift();
    }
  } catch {
    // Progress is optional. The query itself reports the fault.
  } finally {
    await connection.close();
  }
}
