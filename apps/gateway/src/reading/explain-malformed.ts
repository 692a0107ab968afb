import { type SystemError, systemError } from '@tickrate/contract';

/** Adds to 1001 what was expected, for the mistakes of beginners. Any other error is returned unchanged. */
export function withExplanation(error: SystemError, body: Buffer): SystemError {
  const { offset } = error.data;
  if (error.reason !== 'malformedJson' || error.fields !== null || typeof offset !== 'number') return error;
  const fields = explainMalformed(body, offset);
  return fields === null ? error : systemError('malformedJson', { offset }, { fields, cause: error });
}

/** Why a text is no JSON at `offset`, without a word of the text. Null if there is no better word than that. */
function explainMalformed(body: Buffer, offset: number): string | null {
  const found = String.fromCharCode(body[offset] ?? 0);
  const before = body.toString('latin1', Math.max(0, offset - 64), offset).trimEnd();
  if (body.length === 0) return 'the body is empty';
  if (offset >= body.length) return 'it ends too early';
  if (found === "'") return 'expected a double quote, found a single quote';
  if (/[}\]]/.test(found) && before.endsWith(',')) return 'a comma before the closing bracket';
  if (/\w/.test(found) && before.endsWith('{')) return 'expected a name in double quotes';
  if (found === '{' && before.endsWith('}'))
    return 'more than one event: send one event in each line to multiInsert, as application/x-ndjson; with curl use --data-binary, because --data removes line ends';
  return null;
}
