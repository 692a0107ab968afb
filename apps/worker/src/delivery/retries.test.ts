import { expect, test } from 'vitest';
import { createIntake } from '../intake/intake.ts';
import { Abandoned, createFailureStreak, createRetries } from './retries.ts';

class Passing extends Error {}

function createBench(random = 0) {
  const delays: number[] = [];
  const failures: unknown[] = [];
  const retries = createRetries({
    longestMs: 30_000,
    isPassing: (fault) => fault instanceof Passing,
    random: () => random,
    sleep: async (delayMs) => void delays.push(delayMs),
    onFailure: (failure) => void failures.push(failure),
    onSuccess: () => failures.push('success'),
  });
  return { retries, delays, failures };
}

/** Fails this many times, then answers. */
function failing(times: number, fault: () => unknown) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw fault();
    return calls;
  };
}

test('delays grow from a tenth of a second to half a minute, and half of each is random', async () => {
  for (const [random, expected] of [
    [0, [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000]],
    [1, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]],
  ] as const) {
    const { retries, delays } = createBench(random);
    expect(await retries.keepTrying(failing(11, () => new Passing()))).toBe(12);
    expect(delays).toEqual(expected);
  }
});

test('an outcome that is not final is retried and reported', async () => {
  const { retries, failures } = createBench();
  const answers = ['wait', 'wait', 'done'];
  const isDone = (answer: string | undefined): answer is 'done' => answer === 'done';
  expect(await retries.keepTryingUntil(async () => answers.shift(), isDone)).toBe('done');
  expect(failures).toEqual(['wait', 'wait', 'success']);
});

test('a fault that a retry cannot fix is returned at once', async () => {
  const { retries, delays } = createBench();
  await expect(retries.keepTrying(failing(1, () => new TypeError('bug')))).rejects.toThrow('bug');
  expect(delays).toEqual([]);
});

test('abandoned retries reject instead of trying again', async () => {
  const { retries } = createBench();
  const attempt = async (signal: AbortSignal) => {
    retries.abandon();
    expect(signal.aborted).toBe(true);
    throw new Passing();
  };
  await expect(retries.keepTrying(attempt)).rejects.toThrow(Abandoned);
  await expect(retries.keepTrying(async () => 1)).rejects.toThrow(Abandoned);
});

test('a failure streak begins after failures in a row and ends at the first success', () => {
  const calls: string[] = [];
  const intake = createIntake(
    { hold: async () => undefined, release: async () => undefined },
    {
      held: () => calls.push('begin'),
      released: () => calls.push('end'),
      dependencyFault: () => expect.fail(),
    },
  );
  const streak = createFailureStreak(intake, 'storeAway');
  for (const isFailure of [true, true, false, true, true]) {
    if (isFailure) streak.failed();
    else streak.succeeded();
  }
  expect(calls).toEqual([]);
  streak.failed();
  streak.failed();
  expect(calls).toEqual(['begin']);
  streak.succeeded();
  streak.succeeded();
  expect(calls).toEqual(['begin', 'end']);
});

test('the intake resumes only when no reason is left, and calls to the consumer never overlap', async () => {
  const calls: string[] = [];
  let busy = 0;
  const step =
    (name: string) =>
    async (lanes: readonly string[] = []) => {
      busy += 1;
      expect(busy).toBe(1);
      await Promise.resolve();
      calls.push(`${name} ${lanes.join(' ')}`);
      busy -= 1;
    };
  const reported: string[] = [];
  const intake = createIntake(
    { hold: step('hold'), release: step('release') },
    {
      held: (reason) => reported.push(`held ${reason}`),
      released: (reason) => reported.push(`released ${reason}`),
      dependencyFault: () => expect.fail(),
    },
  );
  intake.hold('storeAway');
  intake.hold('memoryFull');
  intake.release('storeAway');
  expect([...intake.reasons]).toEqual(['memoryFull']);
  intake.release('memoryFull');
  intake.release('memoryFull');
  intake.hold('ledgerAway');
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  intake.hold('memoryFull');
  for (let step = 0; step < 20; step += 1) await Promise.resolve();
  expect(calls).toEqual(['hold bulk express', 'release express', 'release bulk', 'hold bulk express']);
  expect(reported).toEqual([
    'held storeAway',
    'held memoryFull',
    'released storeAway',
    'released memoryFull',
    'held ledgerAway',
    'held memoryFull',
  ]);
});
