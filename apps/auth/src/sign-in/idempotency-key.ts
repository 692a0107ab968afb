import type { IncomingHttpHeaders } from 'node:http';
import { parameterInvalid } from '@tickrate/contract';

const name = 'Idempotency-Key';
const fewestDifferent = 8;
const longest = 200;

/**
 * The caller's own secret that its answer can be asked for again with; null without one. Throws 1003 for one that cannot
 * hold 128 random bits, for somebody else may send it too: fewer than 32 hex digits, or than 22 characters of base64.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = String(given);
  const digits = key.replaceAll('-', '');
  const isLong = /^[0-9a-f]+$/i.test(digits) ? digits.length >= 32 : key.length >= 22;
  if (!/^[\w+/=.~-]+$/.test(key) || key.length > longest || !isLong || new Set(key).size < fewestDifferent) {
    throw parameterInvalid(name, 'not 128 random bits: send 32 hex digits or 22 characters of base64');
  }
  return key;
}
