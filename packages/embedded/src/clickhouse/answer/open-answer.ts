import { packingOf } from '../request/content-coding.ts';
import type { Exchange } from '../request/request-params.ts';
import type { Statement } from '../sql/statement.ts';
import { type Answer, type AnswerOptions, createAnswer } from './answer.ts';

const HOLD_BYTES = 64 * 1024;
const HOLD_MS = 50;
/** Commands with a result, which can be empty. */
const WITH_RESULT = new Set(['KILL', 'CHECK', 'EXPLAIN']);

/** The answer to a request. It has headers of a result only if it has one. */
export function openAnswer(
  exchange: Exchange,
  statement: Statement,
  about: Pick<AnswerOptions, 'version' | 'progress'> & { readonly newId: () => string },
): Answer {
  const { params, request, response, headers } = exchange;
  const reads = statement.kind === 'read';
  const named = reads || statement.kind === 'command' ? statement.format : undefined;
  const format = named ?? params.defaultFormat;
  const packing = packingOf(params, request);
  return createAnswer(response, {
    headers: {
      ...headers,
      ...(packing === undefined ? {} : { 'Content-Encoding': packing.coding }),
    },
    resultHeaders: { 'Content-Type': contentType(format), 'X-ClickHouse-Format': format },
    hasResult: reads || (statement.kind === 'command' && WITH_RESULT.has(statement.keyword)) || undefined,
    version: about.version,
    progress: about.progress,
    holdBytes: params.bufferBytes ?? HOLD_BYTES,
    holdMs: params.bufferBytes === undefined ? HOLD_MS : undefined,
    exceptionTag: about.newId().replaceAll('-', '').slice(0, 16),
    packer: packing?.packer,
  });
}

/** The Content-Type that ClickHouse gives the results of a format, for the formats that browsers and curl users read. */
const CONTENT_TYPES: readonly (readonly [format: RegExp, type: string])[] = [
  [/^JSON\w*EachRow|^(?:JSONLines|NDJSON)$/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^(?:TabSeparated|TSV)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^CSV\w*WithNames/, 'text/csv; charset=UTF-8; header=present'],
  [/^CSV/, 'text/csv; charset=UTF-8; header=absent'],
  [/^XML$/, 'application/xml; charset=UTF-8'],
  [/^(?:Pretty|Vertical|Values|SQLInsert|Markdown|Raw|Null|Hash)/, 'text/plain; charset=UTF-8'],
];

function contentType(format: string): string {
  return CONTENT_TYPES.find(([pattern]) => pattern.test(format))?.[1] ?? 'application/octet-stream';
}
