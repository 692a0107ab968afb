import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.ts';

test('a wait ends with the first truthy answer', async () => {
  const answers = [null, 0, '', 'done', 'later'];
  expect(await waitUntil(() => answers.shift(), { intervalMs: 1 })).toBe('done');
  expect(answers).toEqual(['later']);
});

test('a condition that throws is checked again', async () => {
  let calls = 0;
  const answer = await waitUntil(
    () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
      return calls;
    },
    { intervalMs: 1 },
  );
  expect(answer).toBe(3);
});

test('a wait in vain names its condition and the last failure', async () => {
  const wait = waitUntil(() => Promise.reject(new Error('refused')), { timeoutMs: 20, what: 'the server' });
  await expect(wait).rejects.toMatchObject({
    message: 'Waited 20 ms in vain for the server',
    cause: { message: 'refused' },
  });
});
