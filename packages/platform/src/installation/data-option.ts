import { resolve } from 'node:path';

const defaultFolder = '.tickrate';

/** The value of `--data` as an absolute path; the default folder without the option; null for an empty value. */
export function dataOption(given: unknown): string | null {
  if (given === undefined) return resolve(defaultFolder);
  return typeof given === 'string' && given !== '' ? resolve(given) : null;
}
