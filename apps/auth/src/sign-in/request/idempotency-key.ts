import type { IncomingHttpHeaders } from 'node:http';
import { parameterInvalid } from '@tickrate/contract';
import { canBeStrong } from './strong-secret.ts';

const name = 'Idempotency-Key';

/**
 * The caller's own secret, with which it can request its answer again; null without one. Throws 1003 for a key that
 * cannot contain 128 random bits, because others could send it too: fewer than 32 hex digits, or fewer than 22
 * characters of base64.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = String(given);
  if (!canBeStrong(key)) {
    throw parameterInvalid(name, 'not 128 random bits: send 32 hex digits or 22 characters of base64');
  }
  return key;
}
