import { Code, fault } from '../answer/http-fault.ts';
import type { RequestParams } from '../request/request-params.ts';
import type { Statement } from '../sql/statement.ts';

/** The permissions of a request: '0' everything, '1' read, '2' read and change settings. */
export type ReadonlyLevel = '0' | '1' | '2';

/** Commands that write nothing. */
const HARMLESS = new Set(['SET', 'USE', 'CHECK', 'EXPLAIN']);

/** Only POST can write. `readonly` in the URL can only restrict a request further. */
export function readonlyOf(method: string | undefined, { settings }: RequestParams): ReadonlyLevel {
  const asked = settings.get('readonly');
  const least = method === 'POST' ? '0' : '2';
  if (asked === undefined) return least;
  if (asked === '1' || asked === '2') return asked;
  if (asked === '0' && least === '0') return asked;
  throw fault(Code.readonly, "Cannot modify 'readonly' setting in readonly mode");
}

/**
 * Rejects a statement unless it is known to read. The engine alone does not: it is not read-only for one request of a
 * session, and it allows some statements to write, such as INSERT INTO FUNCTION.
 */
export function refuseWrites(statement: Statement): void {
  if (statement.kind === 'empty' || statement.kind === 'refused') return;
  if (statement.kind === 'read' || (statement.kind === 'command' && HARMLESS.has(statement.keyword))) {
    if (statement.setsReadonly)
      throw fault(Code.readonly, "Cannot modify 'readonly' setting in readonly mode");
    return;
  }
  throw fault(
    Code.readonly,
    'Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries',
  );
}

const WRITING_NOTHING = new Set(['SET', 'USE', 'CHECK', 'EXPLAIN', 'KILL', 'SYSTEM']);
const FREEING = /^\s*(?:DROP|TRUNCATE|ALTER\s.*\bDROP\s+(?:DETACHED\s+)?PART(?:ITION)?)\b/is;

/** Whether the engine may write files that remain after the statement. */
export function isWriting(statement: Statement): boolean {
  if (statement.kind === 'command') return !WRITING_NOTHING.has(statement.keyword);
  return statement.kind === 'insert' || statement.kind === 'insertInput';
}

/** Whether the statement frees space, so that it runs on a full disk too. */
export function isFreeing(statement: Statement): boolean {
  return statement.kind === 'command' && FREEING.test(statement.text);
}
