import { createHash } from 'node:crypto';

/** Clients can send this instead of a password: lower-case hex SHA-256 of a fixed prefix and the password, in UTF-8. */
export function derivePassword(password: string): string {
  return createHash('sha256').update(`HiveMPv1${password}`, 'utf8').digest('hex');
}
