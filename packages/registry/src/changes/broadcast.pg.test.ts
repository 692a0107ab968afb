import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { createBroadcast } from './broadcast.ts';

const { url } = await freshPostgres();

function listen(postgresUrl = url) {
  const heard: string[] = [];
  const faults: unknown[] = [];
  const broadcast = createBroadcast({
    postgresUrl,
    channel: 'test_channel',
    onMessage: (message) => void heard.push(message),
    onFault: (error) => void faults.push(error),
  });
  broadcast.start();
  onTestFinished(() => broadcast.stop());
  return { broadcast, heard, faults };
}

/** Listening starts after the start, so the message is sent until it is received. */
async function untilHeard(
  sender: ReturnType<typeof listen>,
  listeners: readonly ReturnType<typeof listen>[],
  message: string,
) {
  await waitUntil(
    async () => {
      await sender.broadcast.send([message]).catch(() => undefined);
      return listeners.every(({ heard }) => heard.includes(message));
    },
    { what: `all processes to receive '${message}'` },
  );
}

test('all processes receive each message in order', async () => {
  const [first, second] = [listen(), listen()];
  await untilHeard(first, [first, second], 'begin');
  await second.broadcast.send(['a', 'b', 'ü'.repeat(3_999)]);
  await waitUntil(() => first.heard.length > 3 && first.heard.at(-1)?.startsWith('ü'));
  expect(first.heard.filter((message) => message !== 'begin').slice(0, 2)).toEqual(['a', 'b']);
});

test('a message that Postgres cannot send is rejected', async () => {
  await expect(listen().broadcast.send(['x'.repeat(8_000)])).rejects.toThrow(RangeError);
});

test('after a cut connection it reconnects and sends and receives again', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const [direct, through] = [listen(), listen(proxy.url)];
  await untilHeard(through, [direct, through], 'before');
  proxy.refuse();
  await waitUntil(() => through.faults.length > 0, { what: 'the cut to be detected' });
  await expect(through.broadcast.send(['lost'])).rejects.toThrow();
  proxy.open();
  await untilHeard(through, [direct, through], 'after');
});
