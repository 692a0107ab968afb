import { startRedisServer, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const [redis, other] = await Promise.all([startRedisServer(), startRedisServer()]);
afterAll(() => Promise.all([redis.stop(), other.stop()]));
const one = await startConsoleWorld({ queueUrl: redis.url });
const two = await startConsoleWorld({ queueUrl: `${redis.url},${other.url}` });

test.each([
  ['the queue dies', one, () => redis.kill(), () => redis.restart()],
  ['the queue hangs', one, () => redis.freeze(), () => redis.resume()],
  ['one of two parts of the queue dies', two, () => redis.kill(), () => redis.restart()],
])(
  'while %s, the overview and the pipeline answer, and the overview says so',
  async (_what, { world }, end, begin) => {
    const { key } = await world.project();
    const isReported = async () => {
      const answers = await Promise.all(
        ['/v1/pipeline', '/v1/pipeline/history', '/v1/overview'].map((path) => world.send({ path, key })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      return answers[2]?.body.attention.some(({ kind }: { kind: string }) => kind === 'queueUnavailable');
    };
    await waitUntil(async () => !(await isReported()), { what: 'the queue to be read' });
    await end();
    await waitUntil(isReported, { timeoutMs: 10_000, what: 'the overview to notice' });
    await begin();
    await waitUntil(async () => !(await isReported()), {
      timeoutMs: 10_000,
      what: 'the queue to be read again',
    });
  },
);
