import { expect, test } from 'vitest';
import { createIntake } from '../intake/intake.ts';
import { createCircuit } from './circuit.ts';
import { Abandoned, createPatience } from './patience.ts';

class Passing extends Error {}

function createBench(random = 0) {
  const delays: number[] = [];
  const failures: unknown[] = [];
  const patience = createPatience({
    isPassing: (fault) => fault instanceof Passing,
    random: () => random,
    sleep: async (delayMs) => void delays.push(delayMs),
    onFailure: (failure) => void failures.push(failure),
    onSuccess: () => failures.push('success'),
  });
  return { patience, delays, failures };
}

/** Fails so often, then answers. */
function failing(times: number, fault: () => unknown) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw fault();
    return calls;
  };
}

test('pauses grow from a tenth of a second to half a minute, of which half is chance', async () => {
  for (const [random, expected] of [
    [0, [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000, 15_000]],
    [1, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]],
  ] as const) {
    const { patience, delays } = createBench(random);
    expect(await patience.keepTrying(failing(11, () => new Passing()))).toBe(12);
    expect(delays).toEqual(expected);
  }
});

test('an answer that is not final is tried again, and told', async () => {
  const { patience, failures } = createBench();
  const answers = ['wait', 'wait', 'done'];
  const isDone = (answer: string | undefined): answer is 'done' => answer === 'done';
  expect(await patience.keepTryingUntil(async () => answers.shift(), isDone)).toBe('done');
  expect(failures).toEqual(['wait', 'wait', 'success']);
});

test('a fault that repeating does not mend is passed on at once', async () => {
  const { patience, delays } = createBench();
  await expect(patience.keepTrying(failing(1, () => new TypeError('bug')))).rejects.toThrow('bug');
  expect(delays).toEqual([]);
});

test('what is abandoned gives up instead of trying again', async () => {
  const { patience } = createBench();
  const attempt = async (signal: AbortSignal) => {
    patience.abandon();
    expect(signal.aborted).toBe(true);
    throw new Passing();
  };
  await expect(patience.keepTrying(attempt)).rejects.toThrow(Abandoned);
  await expect(patience.keepTrying(async () => 1)).rejects.toThrow(Abandoned);
});

test('a circuit opens after failures in a row and closes at the first success', () => {
  const told: string[] = [];
  const circuit = createCircuit({
    threshold: 3,
    onOpen: () => told.push('open'),
    onClose: () => told.push('closed'),
  });
  circuit.failed();
  circuit.failed();
  circuit.succeeded();
  circuit.failed();
  circuit.failed();
  expect([told, circuit.open]).toEqual([[], false]);
  circuit.failed();
  circuit.failed();
  expect([told, circuit.open]).toEqual([['open'], true]);
  circuit.succeeded();
  circuit.succeeded();
  expect([told, circuit.open]).toEqual([['open', 'closed'], false]);
});

test('chunks are taken again only when no reason is left, and calls to the consumer never overlap', async () => {
  const told: string[] = [];
  let busy = 0;
  const step =
    (name: string) =>
    async (lanes: readonly string[] = []) => {
      busy += 1;
      expect(busy).toBe(1);
      await Promise.resolve();
      told.push(`${name} ${lanes.join(' ')}`);
      busy -= 1;
    };
  const intake = createIntake({ hold: step('hold'), release: step('release') }, () => expect.fail());
  intake.hold('storeAway');
  intake.hold('memoryFull');
  intake.release('storeAway');
  expect([...intake.reasons]).toEqual(['memoryFull']);
  intake.release('memoryFull');
  intake.release('memoryFull');
  intake.hold('ledgerAway');
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  intake.hold('memoryFull');
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(told).toEqual(['hold bulk express', 'release express', 'release bulk', 'hold bulk express']);
});
