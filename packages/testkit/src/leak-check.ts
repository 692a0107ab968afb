import { afterAll, expect } from 'vitest';
import { countOpenResources, describeLeaks } from './open-resources.ts';
import { waitUntil } from './wait-until.ts';

// A setup file of every project with services: its hook is registered first, so it runs last.
const before = countOpenResources();
const warnings: string[] = [];
const keepWarning = ({ message }: Error) => void warnings.push(message);
process.on('warning', keepWarning);

afterAll(async () => {
  await waitUntil(() => describeLeaks(before) === '', { timeoutMs: 3_000 }).catch((cause: unknown) => {
    throw new Error(`This test file left open: ${describeLeaks(before)}`, { cause });
  });
  process.off('warning', keepWarning);
  expect(warnings, 'warnings of Node').toEqual([]);
});
