import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startWorld } from '../testing/gateway-world.ts';

const { world } = await startWorld();

const gateway = await world.gateway();

const batch = 'batchInsert?eventType=level';
const numbers = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n));
const tiny = `{${numbers(20_000, (n) => `"${n.toString(36)}":0`).join()}}`;
const zeros = Buffer.alloc(64 * 1024 * 1024);
const bodies: readonly (readonly [path: string, body: string | Buffer, coding?: string])[] = [
  [batch, zstdCompressSync(zeros), 'zstd'],
  [batch, gzipSync(zeros), 'gzip'],
  [batch, gzipSync(`[${numbers(5_000, () => '{"x":1}').join()}`), 'gzip'],
  [batch, Buffer.alloc(9 * 1024 * 1024, 0x20)],
  [batch, '['.repeat(500_000)],
  [batch, `[{"level":1,"name":"${'\\u0041'.repeat(50_000)}"}]`],
  [batch, `[${tiny}]`],
  [`${batch}&partial=true`, `[${numbers(300, () => '{"a":1,"b":2,"c":3,"d":4}').join()}]`],
  [batch, `[{"level":${'9'.repeat(300_000)}}]`],
  ['multiInsert', `[${numbers(2_000, (n) => `{"eventType":"t${n}","event":{}}`).join()}]`],
  [
    'multiInsert',
    `[${numbers(150, (n) => `{"eventType":"${'t'.repeat(n + 1)}","event":${'[{}]'}}`).join()}]`,
  ],
  ['multiInsert', `[{"eventType":"level","event":{},"x":${tiny}}]`],
  [`insert?eventType=${'x'.repeat(9_000)}`, '{}'],
];

async function sendAll(key: string): Promise<(number | undefined)[]> {
  const answered = bodies.map(async ([path, body, coding]) => {
    const headers = coding === undefined ? {} : { 'Content-Encoding': coding };
    const answer = await gateway.send({ path, key, body, headers });
    return answer.status === 200 && path.includes('partial') ? 422 : answer.status;
  });
  const half = abandon(
    `PUT /v1/event/${batch} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: 900000\r\n\r\n[{`,
  );
  const head = abandon('PUT /v1/event/insert HTTP/1.1\r\nHost: x\r\n');
  const [statuses] = await Promise.all([Promise.all(answered), half, head]);
  return statuses;
}

/** Sends the beginning of a request and disconnects. */
async function abandon(text: string): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(text, () => socket.destroy());
  await once(socket, 'close');
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory in use after a garbage collection. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The least memory after any of these rounds: buffers of inflating and closing requests come in addition. */
async function leastHeldBytes(key: string, rounds: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    await sendAll(key);
    least = Math.min(least, heldBytes());
  }
  return least;
}

test('hundreds of hostile requests are refused, store nothing and leak no memory', async () => {
  const { projectId, key } = await world.project();
  const statuses = await sendAll(key);
  // Faults are reported for each element.
  expect(statuses.filter((status) => status === undefined || status < 400 || status >= 500)).toEqual([
    200, 200,
  ]);
  const atFirst = await leastHeldBytes(key, 3);
  const later = await leastHeldBytes(key, 5);
  // A single body that is kept in each round would be far more.
  expect(later - atFirst).toBeLessThan(8 * 1024 * 1024);
  expect((await gateway.send({ path: 'insert?eventType=level', key, body: { level: 1 } })).body).toBe(true);
  expect(await world.rows(projectId, 1)).toHaveLength(1);
});
