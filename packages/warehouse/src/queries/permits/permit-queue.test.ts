import { expect, test } from 'vitest';
import { createPermitQueue } from './permit-queue.ts';

/** At most `most` permits at once, of all owners together. */
function createQueue({ most = 1, waitMs = 10_000, mostWaiting = 8 }) {
  let free = most;
  let next = 0;
  const queue = createPermitQueue<number>({
    waitMs,
    mostWaiting,
    acquire() {
      if (free === 0) return null;
      free -= 1;
      next += 1;
      return next;
    },
  });
  const release = () => {
    free += 1;
    queue.serve();
  };
  return { ...queue, release };
}

const of = (projectId: string) => ({ owner: projectId, projectId });

// Invariant (Queries): Queries beyond the limit are served in their order, and projects round-robin
test('a request waits until a permit is free', async () => {
  const { acquire, release } = createQueue({});
  expect(await acquire(of('a'))).toBe(1);
  const second = acquire(of('a'));
  release();
  expect(await second).toBe(2);
});

test('projects are served round-robin, and the requests of each in order', async () => {
  const { acquire, release } = createQueue({});
  await acquire(of('a'));
  const order: string[] = [];
  const served = ['a1', 'a2', 'a3', 'b1'].map(async (name) => {
    await acquire(of(name.slice(0, 1)));
    order.push(name);
    release();
  });
  release();
  await Promise.all(served);
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('another owner in the same project does not wait behind a full line', async () => {
  const { acquire, release } = createQueue({ waitMs: 200, mostWaiting: 1 });
  const links = { owner: 'links of a', projectId: 'a' };
  await acquire(links);
  void acquire(links);
  expect(await acquire(links)).toBe(null);
  const own = acquire(of('a'));
  release();
  release();
  expect(await own).not.toBe(null);
});

test('a request is refused after its wait, and at once behind too many others', async () => {
  const { acquire } = createQueue({ waitMs: 20, mostWaiting: 1 });
  await acquire(of('a'));
  const first = acquire(of('a'));
  expect(await acquire(of('a'))).toBe(null);
  expect(await first).toBe(null);
});

test('a request that is given up leaves the queue', async () => {
  const { acquire, release } = createQueue({});
  await acquire(of('a'));
  const leaving = new AbortController();
  const left = acquire(of('a'), leaving.signal);
  const next = acquire(of('a'));
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  release();
  expect(await next).toBe(2);
});
