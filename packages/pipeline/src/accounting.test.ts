import { expect, test } from 'vitest';
import { readAccounts } from './accounting.ts';

function sources(pending: { byProject: ReadonlyMap<string, number>; chunks: number; complete: boolean }) {
  return {
    ledger: {
      accepted: async () => new Map([['p-a', 100]]),
      totals: async () => new Map([['p-a', { stored: 60, deduplicated: 5, dead: 2 }]]),
    },
    pending: async () => pending,
  };
}

test('what was accepted and is nowhere is missing', async () => {
  const accounts = await readAccounts(
    sources({
      byProject: new Map([
        ['p-a', 30],
        ['p-b', 4],
      ]),
      chunks: 2,
      complete: true,
    }),
  );
  expect(accounts.get('p-a')).toEqual({
    accepted: 100,
    stored: 60,
    pending: 30,
    deduplicated: 5,
    dead: 2,
    missing: 3,
  });
  expect(accounts.get('p-b')).toEqual({
    accepted: 0,
    stored: 0,
    pending: 4,
    deduplicated: 0,
    dead: 0,
    missing: 0,
  });
});

test('while the queue is too deep to be read, nothing is said to be missing', async () => {
  const accounts = await readAccounts(
    sources({ byProject: new Map([['p-a', 1]]), chunks: 1, complete: false }),
  );
  expect(accounts.get('p-a')?.missing).toBe(null);
});
