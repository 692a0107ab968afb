import { createHash } from 'node:crypto';
import { systemError } from '@tickrate/contract';
import { canonicalJson } from './canonical-json.ts';

/**
 * The version of a record, made of what can be edited of it: who edits sends back what was shown, and the edit holds
 * only if that is still what stands there.
 */
export function recordVersion(editable: unknown): string {
  return createHash('sha256').update(canonicalJson(editable)).digest('base64url').slice(0, 16);
}

/** Throws 3004 unless the record still is what the editor saw. */
export function requireVersion(current: string, sent: string): void {
  if (current !== sent) throw systemError('objectChanged');
}
