import { expect, test } from 'vitest';
import type { PendingEvents } from '../queue/pending/group-pending.ts';
import { readAccounts } from './accounting.ts';

const ranges: PendingEvents['ranges'] = new Map();
const noLosses = { lost: 0, unarrived: new Map() };

function sources(pending: Omit<PendingEvents, 'ranges'>) {
  return {
    usage: {
      totals: async () =>
        new Map([['p-a', { accepted: 100, stored: 60, deduplicated: 5, dead: 2, ...noLosses }]]),
    },
    pending: async () => ({ ranges, ...pending }),
  };
}

test('accepted events that are found nowhere are missing', async () => {
  const accounts = await readAccounts(
    sources({
      byProject: new Map([['p-a', 30]]),
      chunks: 1,
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
});

test('the sum is correct while events move, and before gateways have reported', async () => {
  const ended = { deduplicated: 5, dead: 2, ...noLosses };
  const totals = [
    { accepted: 40, stored: 20, ...ended },
    { accepted: 45, stored: 60, ...ended },
  ];
  const accounts = await readAccounts({
    usage: { totals: async () => new Map(totals.splice(0, 1).map((read) => ['p-a', read])) },
    pending: async () => ({
      byProject: new Map([
        ['p-a', 90],
        ['p-b', 4],
      ]),
      ranges,
      chunks: 2,
      complete: true,
    }),
  });
  const parts = { stored: 60, deduplicated: 5, dead: 2 };
  expect(accounts.get('p-a')).toEqual({ accepted: 117, pending: 50, missing: 0, ...parts });
  const nothing = { stored: 0, deduplicated: 0, dead: 0 };
  expect(accounts.get('p-b')).toEqual({ accepted: 4, pending: 4, missing: 0, ...nothing });
});

test('while the queue is too long to be read, the missing number is unknown', async () => {
  const accounts = await readAccounts(
    sources({ byProject: new Map([['p-a', 1]]), chunks: 1, complete: false }),
  );
  expect(accounts.get('p-a')).toMatchObject({ pending: 33, missing: null });
});
