import { startRedisServer, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { startConsoleWorld } from '../../testing/console-harness.ts';

const redis = await startRedisServer();
afterAll(() => redis.stop());
const { world } = await startConsoleWorld({ queueUrl: redis.url });

test.each([
  ['dies', () => redis.kill(), () => redis.restart()],
  ['hangs', () => redis.freeze(), () => redis.resume()],
])(
  'while the queue %s, calls that count its events return 503 with 6001, and others answer',
  async (_what, end, begin) => {
    const { key } = await world.project();
    const statusOf = async (path: string) => {
      const { status, body } = await world.send({ path, key });
      return [status, body.code];
    };
    expect(await statusOf('/v1/pipeline')).toEqual([200, undefined]);
    await end();
    expect(await statusOf('/v1/pipeline')).toEqual([503, 6001]);
    expect(await statusOf('/v1/overview')).toEqual([503, 6001]);
    expect(await statusOf('/v1/pipeline/history')).toEqual([200, undefined]);
    expect(await statusOf('/v1/event-types')).toEqual([200, undefined]);
    await begin();
    const isBack = async () => (await world.send({ path: '/v1/pipeline', key })).status === 200;
    await waitUntil(isBack, { timeoutMs: 10_000, what: 'the pipeline to be readable again' });
  },
);
