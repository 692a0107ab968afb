import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshRedis } from './fresh-redis.ts';
import { startRedisServer } from './redis-server.ts';

const shared = await freshRedis();

test('a fresh Redis answers', async () => {
  expect(await command(shared.url, 'PING')).toBe('+PONG\r\n');
  expect(shared.prefix).toMatch(/^t[0-9a-f]{12}$/);
});

test('a killed Redis is unreachable, and has its data after a restart', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  expect(await command(server.url, 'SET level 7')).toBe('+OK\r\n');
  await server.kill();
  await expect(command(server.url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.restart();
  expect(await command(server.url, 'GET level')).toBe('$1\r\n7\r\n');
});

test('a Redis whose data is restored has forgotten what was written since', async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  await command(server.url, 'SET level 7');
  await server.kill();
  await server.keepData();
  await server.restart();
  await command(server.url, 'SET level 8');
  await server.kill();
  await server.restoreData();
  await server.restart();
  expect(await command(server.url, 'GET level')).toBe('$1\r\n7\r\n');
});

test('settings of the test win', async () => {
  const server = await startRedisServer({ settings: { maxmemory: '3mb' } });
  onTestFinished(() => server.stop());
  expect(await command(server.url, 'CONFIG GET maxmemory')).toContain('3145728');
});

async function command(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`${text}\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}
