import type { Statement } from './statement.ts';

const WRITING_NOTHING = new Set(['SET', 'USE', 'CHECK', 'KILL', 'EXISTS', 'SYSTEM']);
const FREEING = /^\s*(?:DROP|TRUNCATE|ALTER\s.*\bDROP\s+(?:DETACHED\s+)?PART(?:ITION)?)\b/is;

/** Whether the engine may write files for it that are there when it has ended. */
export function isWriting(statement: Statement): boolean {
  if (statement.kind === 'command') return !WRITING_NOTHING.has(statement.keyword);
  return statement.kind === 'insert' || statement.kind === 'insertInput';
}

/** Whether it makes room, and so is for a full disk too. */
export function isFreeing(statement: Statement): boolean {
  return statement.kind === 'command' && FREEING.test(statement.text);
}
