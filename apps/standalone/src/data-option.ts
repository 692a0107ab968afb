import { resolve } from 'node:path';

const defaultFolder = '.tickrate';

/** The data folder that `--data` means, as an absolute path; null when it means none. */
export function dataOption(given: unknown): string | null {
  if (given === undefined) return resolve(defaultFolder);
  return typeof given === 'string' && given !== '' ? resolve(given) : null;
}
