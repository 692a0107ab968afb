import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '@tickrate/platform';

type RandomBytes = (size: number) => Buffer;

/** A secret of this folder: made once, in a file of its own, apart from what people edit or delete. */
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
