import { createHash } from 'node:crypto';
import { canonicalJson, systemError } from '@tickrate/contract';

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
