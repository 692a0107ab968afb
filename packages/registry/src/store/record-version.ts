import { createHash } from 'node:crypto';
import { canonicalJson, parameterInvalid, reorderingFault, systemError } from '@tickrate/contract';

/**
 * The version of a record, derived from its editable members. An editor sends back the version that it read, and the
 * edit succeeds only if the record still has it.
 */
export function recordVersion(editable: unknown): string {
  return createHash('sha256').update(canonicalJson(editable)).digest('base64url').slice(0, 16);
}

/** Throws 3004 unless the record still has the version that the editor read. */
export function requireVersion(current: string, sent: string): void {
  if (current !== sent) throw systemError('objectChanged');
}

/** The row of a statement that always returns one. */
export function returnedRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('PostgreSQL returned no row');
  return row;
}

/** Throws 1003 if the text exceeds `longest` characters, or cannot be stored by Postgres, or shows other words than it contains. */
export function checkText(parameter: string, text: string, longest: number): void {
  if (text.length > longest) throw parameterInvalid(parameter, `longer than ${longest} characters`);
  const fault = reorderingFault(text);
  if (fault !== null) throw parameterInvalid(parameter, fault);
  if (text.includes('\0') || !text.isWellFormed()) throw parameterInvalid(parameter, 'not plain text');
}
