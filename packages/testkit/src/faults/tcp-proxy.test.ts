import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const requests: string[] = [];
const echo = createServer((socket) => {
  socket.on('data', (data) => requests.push(data.toString()));
  socket.on('error', () => undefined);
  socket.pipe(socket);
});

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
});
afterAll(() => echo.close());

test('bytes pass both ways and the URL keeps its credentials and path', async () => {
  const proxy = await startProxy();
  expect(proxy.url).toMatch(/^postgres:\/\/me:secret@127\.0\.0\.1:\d+\/db$/);
  const client = connectTo(proxy);
  client.socket.write('hello');
  await waitUntil(() => client.received() === 'hello');
});

test('a cut resets open connections and accepts new ones', async () => {
  const proxy = await startProxy();
  const first = connectTo(proxy);
  await waitUntil(() => proxy.connections() === 1);
  proxy.cut();
  await waitUntil(first.closed);
  const second = connectTo(proxy);
  second.socket.write('again');
  await waitUntil(() => second.received() === 'again');
});

test('a refusing proxy resets new connections until it is opened', async () => {
  const proxy = await startProxy();
  proxy.refuse();
  const refused = connectTo(proxy);
  await waitUntil(refused.closed);
  proxy.open();
  const taken = connectTo(proxy);
  taken.socket.write('hello');
  await waitUntil(() => taken.received() === 'hello');
});

test('a frozen proxy passes nothing and keeps connections, and passes waiting bytes when it opens', async () => {
  const proxy = await startProxy();
  const client = connectTo(proxy);
  client.socket.write('before');
  await waitUntil(() => client.received() === 'before');
  proxy.freeze();
  client.socket.write(' after');
  const other = connectTo(proxy);
  other.socket.write('other');
  await waitUntil(() => proxy.connections() === 2);
  expect([client.received(), other.received(), client.closed()]).toEqual(['before', '', false]);
  proxy.open();
  await waitUntil(() => client.received() === 'before after' && other.received() === 'other');
});

test('a lost answer belongs to a request that arrived, and the connection is reset', async () => {
  const proxy = await startProxy();
  const client = connectTo(proxy);
  client.socket.write('before');
  await waitUntil(() => client.received() === 'before');
  const arrived = requests.length;
  proxy.loseAnswers();
  client.socket.write('asked');
  await waitUntil(client.closed);
  expect(requests.slice(arrived).join('')).toBe('asked');
  expect(client.received()).toBe('before');
  proxy.open();
  const next = connectTo(proxy);
  next.socket.write('again');
  await waitUntil(() => next.received() === 'again');
});

test('a delay holds bytes back, in order, until it is removed', async () => {
  const proxy = await startProxy();
  const client = connectTo(proxy);
  proxy.delay(60);
  const began = performance.now();
  client.socket.write('slow');
  await waitUntil(() => client.received() === 'slow');
  // Once in each direction, by timers that may fire a millisecond early.
  expect(performance.now() - began).toBeGreaterThanOrEqual(118);
  client.socket.write(' one');
  proxy.delay(0);
  client.socket.write(' two');
  await waitUntil(() => client.received() === 'slow one two');
});

async function startProxy(): Promise<TcpProxy> {
  const address = echo.address();
  if (address === null || typeof address === 'string') throw new Error('No address');
  const proxy = await createTcpProxy(`postgres://me:secret@127.0.0.1:${address.port}/db`);
  onTestFinished(() => proxy.close());
  return proxy;
}

function connectTo(proxy: TcpProxy): { socket: Socket; received: () => string; closed: () => boolean } {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  socket.on('data', (data) => {
    text += data.toString();
  });
  onTestFinished(() => void socket.destroy());
  return { socket, received: () => text, closed: () => closed };
}
