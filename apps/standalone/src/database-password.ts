import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from './private-file.ts';

/** The password of both databases of this folder: made once, and kept apart from what people edit or delete. */
export function databasePassword(folder: string, randomBytes: (size: number) => Buffer): string {
  const path = join(folder, 'database-password');
  const kept = readFileIfAny(path)?.trim() ?? '';
  if (kept !== '') return kept;
  const password = randomBytes(24).toString('hex');
  writePrivateFile(path, `${password}\n`);
  return password;
}
