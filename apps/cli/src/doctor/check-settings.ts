import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misspelledSettings } from '@tickrate/platform';
import { bad, type Finding, good } from './finding.ts';

/** It has the settings of all processes. */
const example = join(import.meta.dirname, '../../../..', '.env.example');

/** Settings in the environment that no process reads. In the containers, this command gets all of `.env`. */
export function checkSettings(environment?: Readonly<Record<string, string | undefined>>): Finding[] {
  if (!existsSync(example)) return [];
  const names = Array.from(
    readFileSync(example, 'utf8').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm),
    ([, name = '']) => name,
  );
  const found = misspelledSettings(names, environment);
  if (found.length === 0) return [good('Settings', 'no name is misspelt')];
  return found.map(({ name, meant }) =>
    bad('Settings', `${name} is not a setting`, `Write ${meant}, or remove it`),
  );
}
