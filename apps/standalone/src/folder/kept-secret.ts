import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '@tickrate/platform';

type RandomBytes = (size: number) => Buffer;

/** A secret of this folder: created once, in a separate file that people do not edit or delete. */
export function keptSecret(
  folder: string,
  name: 'database-password' | 'auth-secret' | 'secrets-key' | 'admin-password',
  randomBytes: RandomBytes,
): string {
  const path = join(folder, name);
  const kept = readFileIfAny(path)?.trim() ?? '';
  if (kept !== '') return kept;
  const secret = randomBytes(24).toString('hex');
  writePrivateFile(path, `${secret}\n`);
  return secret;
}
