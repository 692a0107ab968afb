import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, exchangeRaw } from '../testing/http-harness.ts';

const mostOfAddress = 400;

// A process of its own, so that what is measured is the server and not its attacker.
const main = `
import { writeFileSync } from 'node:fs';
import { answerJson, createHttpServer, createLogger, createMetrics, readBody } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
const server = createHttpServer({
  logger: createLogger({ name: 'victim', destination: { write: () => null } }),
  metrics: createMetrics(),
  host: '127.0.0.1',
  port: 0,
  limits: { maxConnectionsOfAddress: ${mostOfAddress} },
  routes: (app) => app.get('/page', (_, response) => answerJson(response, { page: 'x'.repeat(50_000) })).put('/body', async (request, response) => {
    answerJson(response, { length: (await readBody(request, { limitBytes: 8 * 1024 * 1024, timeoutMs: 300 })).length });
  }),
});
process.on('message', () => { gc(); process.send({ rss: process.memoryUsage().rss, highestRss: process.resourceUsage().maxRSS * 1024, connections: server.connections() }); });
process.on('disconnect', () => process.exit());
await server.start();
process.send(server.url());
`;
const folder = mkdtempSync(join(tmpdir(), 'http-memory-'));
const path = join(folder, 'main.ts');
let child: ChildProcess;
let port: number;

beforeAll(async () => {
  writeFileSync(path, main);
  child = fork(path, { execArgv: ['--expose-gc'] });
  const [url] = await once(child, 'message');
  port = Number(new URL(url).port);
});

afterAll(() => {
  child.disconnect();
  rmSync(folder, { recursive: true });
});

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
const attacks: Record<string, () => Promise<unknown>> = {
  'header floods': () => many(20, () => exchangeRaw(port, `PUT / HTTP/1.1\r\nX: ${'x'.repeat(1_000_000)}`)),
  'pipelined garbage': () =>
    many(200, () => exchangeRaw(port, `GET / HTTP/1.1\r\nHost: a\r\n\r\n\x00${'g'.repeat(50_000)}`)),
  'bodies that never end': () => many(10, () => neverEnding()),
};
for (const [coding, compress] of Object.entries(codings)) {
  const bomb = compress(Buffer.alloc(32 * 1024 * 1024));
  attacks[`bombs in ${coding}`] = () => many(10, () => putClosing(bomb, coding));
}

// Far below what three rounds send, which is 30 MB and more.
const plateauBytes = 6 * 1024 * 1024;

// Invariant (Limits and overload): A client that reads no answers occupies the memory of one answer per
// connection
test.each(Object.keys(attacks))(
  '%s cost the server no memory that it does not get back',
  async (name) => {
    const attack = attacks[name] ?? fail;
    let grown = Number.POSITIVE_INFINITY;
    // The allocator keeps what was once in use, so a process grows at first; one that leaks never ceases to.
    for (let batch = 0; batch < 10 && grown > plateauBytes; batch++) {
      const before = await residentBytes();
      for (let round = 0; round < 3; round++) await attack();
      grown = (await residentBytes()) - before;
    }
    expect(grown).toBeLessThanOrEqual(plateauBytes);
  },
  30_000,
);

test('a client that sends requests and reads no answer costs an answer at a time, and its connection', async () => {
  const { rss } = await measured();
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1').pause());
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write('GET /page HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_400));
  }
  await waitUntil(async () => (await measured()).connections === 0, {
    timeoutMs: 20_000,
    what: 'the connections to be closed',
  });
  // The answers of all these requests have 3.5 GB.
  expect((await measured()).highestRss - rss).toBeLessThan(500 * 1024 * 1024);
  for (const socket of sockets) socket.destroy();
}, 30_000);

test('a flood of connections uses no more than the limit of one address, and releases it', async () => {
  let grown = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6 && grown > plateauBytes; round++) {
    const before = await residentBytes();
    await holdConnections();
    grown = (await residentBytes()) - before;
  }
  expect(grown).toBeLessThanOrEqual(plateauBytes);
}, 180_000);

async function residentBytes(): Promise<number> {
  return (await measured()).rss;
}

interface Measured {
  readonly rss: number;
  readonly highestRss: number;
  readonly connections: number;
}

async function measured(): Promise<Measured> {
  child.send('measure');
  const [found] = await once(child, 'message');
  return found;
}

/** More than one client address may hold, each with a request that was answered. */
async function holdConnections(): Promise<void> {
  // A connection of an earlier attack that is still closing counts too, and would be missing afterwards.
  await connectionsAre(0);
  const held = await many(mostOfAddress + 200, async () => {
    const connection = await connectRaw(port);
    connection.socket.write(`GET /${'x'.repeat(8_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return connection;
  });
  await connectionsAre(mostOfAddress);
  for (const { socket } of held) socket.destroy();
  await connectionsAre(0);
}

async function connectionsAre(count: number): Promise<void> {
  const what = `${count} connections`;
  await waitUntil(async () => (await measured()).connections === count, { timeoutMs: 60_000, what });
}

function many<T>(count: number, attack: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, attack));
}

async function putClosing(body: Buffer, coding: string): Promise<void> {
  const connection = await connectRaw(port);
  const head = `PUT /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Encoding: ${coding}`;
  connection.socket.write(`${head}\r\nContent-Length: ${body.byteLength}\r\n\r\n`);
  connection.socket.write(body);
  expect(await connection.closed()).toContain('HTTP/1.1 413');
}

async function neverEnding(): Promise<void> {
  const connection = await connectRaw(port);
  connection.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n');
  connection.socket.write(Buffer.alloc(2_000_000));
  await connection.received('requestTimeout');
  connection.socket.destroy();
}

function fail(): never {
  throw new Error('There is no such attack');
}
