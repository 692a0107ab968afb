import type { Coding } from '../request/content-coding.ts';
import type { Exchange } from '../request/request-params.ts';
import type { Statement } from '../sql/statement.ts';
import { type Answer, type AnswerOptions, createAnswer } from './answer.ts';
import { packingOf } from './packing.ts';

const HOLD_BYTES = 64 * 1024;
const HOLD_MS = 50;
/** Commands with a result, which can be empty. */
const WITH_RESULT = new Set(['KILL', 'CHECK', 'EXPLAIN']);

export interface OpenAnswer {
  readonly body: Answer;
  /** The coding that the engine applies to the result. */
  readonly engineCoding: Coding | undefined;
}

/** The answer to a request. It has headers of a result only if it has one. */
export function openAnswer(
  exchange: Exchange,
  statement: Statement,
  about: Pick<AnswerOptions, 'version' | 'progress'> & { readonly newId: () => string },
): OpenAnswer {
  const { params, request, response, headers } = exchange;
  const reads = statement.kind === 'read';
  const named = reads || statement.kind === 'command' ? statement.format : undefined;
  const format = named ?? params.defaultFormat;
  const packing = packingOf(params, request, reads);
  const body = createAnswer(response, {
    headers: {
      ...headers,
      ...(packing.coding === undefined ? {} : { 'Content-Encoding': packing.coding }),
    },
    resultHeaders: { 'Content-Type': contentType(format), 'X-ClickHouse-Format': format },
    hasResult: reads || (statement.kind === 'command' && WITH_RESULT.has(statement.keyword)) || undefined,
    version: about.version,
    progress: about.progress,
    holdBytes: params.bufferBytes ?? HOLD_BYTES,
    holdMs: params.bufferBytes === undefined ? HOLD_MS : undefined,
    exceptionTag: about.newId().replaceAll('-', '').slice(0, 16),
    packer: packing.packer,
  });
  return { body, engineCoding: packing.packer === undefined ? packing.coding : undefined };
}

const JSON_LINES = 'application/x-ndjson; charset=UTF-8';

/** The Content-Type that ClickHouse gives the results of a format. */
function contentType(format: string): string {
  if (
    /^JSON(Strings)?(Compact)?(Strings)?EachRow|^JSONLines$|^NDJSON$|^JSONCompactStringsEachRow/.test(format)
  ) {
    return JSON_LINES;
  }
  if (/^JSON/.test(format)) return 'application/json; charset=UTF-8';
  if (/^(TabSeparated|TSV)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  if (/^CSV/.test(format)) {
    return `text/csv; charset=UTF-8; header=${/WithNames/.test(format) ? 'present' : 'absent'}`;
  }
  if (format === 'XML') return 'application/xml; charset=UTF-8';
  if (format === 'Markdown') return 'text/markdown; charset=UTF-8';
  if (
    /^(Pretty|Vertical|Values|SQLInsert|Template|CustomSeparated|LineAsString|Raw|Null|Hash)/.test(format)
  ) {
    return 'text/plain; charset=UTF-8';
  }
  return 'application/octet-stream';
}
