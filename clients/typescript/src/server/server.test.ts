import { once } from 'node:events';
import { createServer } from 'node:http';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventRefused, TickrateServer } from './server.ts';

const bodies: { readonly coding: string | undefined; readonly bytes: Buffer; readonly trace: unknown }[] = [];
const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { 'content-encoding': coding, traceparent: trace } = request.headers;
  bodies.push({ coding, bytes: Buffer.concat(parts), trace });
  response.end('{"accepted":1,"rejected":[]}');
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a batch is compressed with zstd, and what shrinks a hundredfold is sent as it is', async () => {
  const client = new TickrateServer({ url, key: 'tk_adm_x', batchMs: 1 });
  const names = Array.from({ length: 300 }, (_, n) => `player ${n * 7919}`);
  await Promise.all(names.map((name) => client.insert({ eventType: 'joined', event: { name } })));
  await client.insert({ eventType: 'joined', event: { name: 'x'.repeat(50_000) } });
  await client.close();
  const [batch, bomb] = bodies;
  expect([batch?.coding, bomb?.coding]).toEqual(['zstd', undefined]);
  const lines = zstdDecompressSync(batch?.bytes ?? '')
    .toString()
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).event.name)).toEqual(names);
  expect(batch?.bytes.length).toBeLessThan(lines.join('\n').length / 4);
});

test('a request has the trace of its first event, and one that is no trace keeps no event back', async () => {
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const given = [trace, 'none', undefined, 'line\nfeed'];
  const from = bodies.length;
  const traceparent = () => {
    if (given.length === 0) throw new Error('no trace');
    return given.shift();
  };
  const client = new TickrateServer({ url, key: 'tk_adm_x', batchEvents: 2, batchMs: 10_000, traceparent });
  const insert = () => client.insert({ eventType: 'joined', event: {} });
  await Promise.all([insert(), insert()]);
  await Promise.all([insert(), insert()]);
  await Promise.all([insert(), insert()]);
  await client.close();
  expect(bodies.slice(from).map((body) => body.trace)).toEqual([trace, undefined, undefined]);
});

test('close() with a limit gives up on a server that is away, and rejects each event that waits', async () => {
  const client = new TickrateServer({
    url: 'http://127.0.0.1:9',
    key: 'tk_adm_x',
    batchEvents: 2,
    waitingEvents: 4,
  });
  const inserts = Array.from({ length: 7 }, (_, n) => client.insert({ eventType: 'joined', event: { n } }));
  const settled = Promise.allSettled(inserts);
  await client.close({ timeoutMs: 100 });
  for (const each of await settled) expect(each).toMatchObject({ reason: { name: 'EventUnsettled' } });
  expect(client.pending).toBe(0);
});

test('an event that is no JSON is refused at once', async () => {
  const client = new TickrateServer({ url, key: 'tk_adm_x' });
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  await expect(client.insert({ eventType: 'joined', event: circle })).rejects.toBeInstanceOf(EventRefused);
  await client.close();
});
