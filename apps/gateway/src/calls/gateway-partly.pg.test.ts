import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createLedger } from '@tickrate/pipeline';
import { afterAll, describe, expect, test } from 'vitest';
import { type SampleProject, startWorld } from '../testing/gateway-world.ts';

const { world, url } = await startWorld();
const ledger = createLedger({ postgresUrl: url });

const gateway = await world.gateway({ STREAM_BYTES: '24MiB' });
const second = await world.gateway();
afterAll(() => ledger.close());

const line = (level: unknown, more = {}) =>
  `${JSON.stringify({ eventType: 'level', ...more, event: { level } })}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => line(from + n)).join('');
/** Lines that do not compress, of some 100 bytes each. */
const unlike = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => line(from + n, { eventId: randomUUID() })).join('');

interface Sent {
  readonly body: string | Buffer;
  readonly coding?: string;
  readonly key?: string;
}

function insertLines({ key }: SampleProject, sent: Sent) {
  const headers = {
    'Content-Type': 'application/x-ndjson',
    ...(sent.coding !== undefined && { 'Content-Encoding': sent.coding }),
    ...(sent.key !== undefined && { 'Idempotency-Key': sent.key }),
  };
  return gateway.send({ path: 'multiInsert', key, headers, body: sent.body });
}

/** The levels of all rows in the queue, sorted, once there are that many and one that is sent now. */
async function storedLevels({ projectId, key }: SampleProject, count: number): Promise<number[]> {
  await gateway.send({ path: 'insert?eventType=level', key, body: { level: 999_999 } });
  const rows = await world.rows(projectId, count + 1);
  const levels = rows.map(({ data }) => Number(data.get('level')));
  return levels.filter((level) => level !== 999_999).toSorted((a, b) => a - b);
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

// Invariant (Delivery): A request that is refused with 4xx stored nothing, or its answer lists the lines
// that it stored; lines that fit in one block are stored as a whole or not at all
describe('lines that fit in one block', () => {
  const codings = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const;

  test.each(codings)(
    'with a broken end in %s return 1009 and nothing is stored',
    async (coding, compress) => {
      const project = await world.project();
      // As many as may be in one request, and exactly 256 KiB: the largest that the SDKs send.
      for (const text of [
        lines(0, 10_000)
          .slice(0, 262_143)
          .replace(/[^\n]*$/, ''),
        lines(0, 1_001),
      ]) {
        const packed = compress(Buffer.from(text.padEnd(262_144, ' ')));
        const { status, body } = await insertLines(project, { body: packed.subarray(0, -1), coding });
        expect([status, body.code]).toEqual([400, 1009]);
      }
      expect(await storedLevels(project, 0)).toEqual([]);
    },
  );

  test('with more types than a request may name return 1003 and nothing is stored', async () => {
    const project = await world.project();
    const named = upTo(201).map((n) => line(n, { eventType: `type${n}` }));
    const { body } = await insertLines(project, { body: lines(0, 2_000) + named.join('') });
    expect(body.code).toBe(1003);
    expect(await storedLevels(project, 0)).toEqual([]);
  });
});

describe('a longer body of lines that is refused after its beginning was stored', () => {
  test('because it inflates too far returns 8011 with the lines that must not be sent again', async () => {
    const project = await world.project();
    const good = unlike(0, 12_000);
    const text = good + `${' '.repeat(300)}\n`.repeat(200_000) + lines(12_000, 12_010);
    const body = gzipSync(text, { level: 9 });
    const key = randomUUID();
    const refused = await insertLines(project, { body, coding: 'gzip', key });
    expect(refused.status).toBe(422);
    const { accepted, interruptedBy, settledLines, rejected } = refused.body.data;
    expect([refused.body.code, interruptedBy, rejected]).toEqual([8011, 'bodyTooLarge', []]);
    expect(settledLines).toEqual([{ from: 0, to: accepted - 1 }]);
    expect(await storedLevels(project, accepted)).toEqual(upTo(accepted));
    const rest = text
      .split('\n')
      .filter((each) => each.trim() !== '')
      .slice(accepted);
    const again = await insertLines(project, { body: `${rest.join('\n')}\n` });
    expect(again.body.accepted).toBe(12_010 - accepted);
    expect(await storedLevels(project, 12_010 + 1)).toEqual(upTo(12_010));
  });

  test('names rejected lines for every reason', async () => {
    const project = await world.project();
    const named = upTo(201).map((n) => line(n, { eventType: `type${n}` }));
    const body = lines(0, 50) + line('x') + lines(51, 10_000) + named.join('');
    const refused = await insertLines(project, { body });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 8011,
        data: {
          interruptedBy: 'parameterInvalid',
          rejected: [{ index: 50, errors: [{ location: '/50/event/level' }] }],
        },
      },
    });
    const { accepted, settledLines } = refused.body.data;
    expect(accepted).toBeGreaterThan(1_000);
    expect(settledLines).toEqual([{ from: 0, to: accepted }]);
    expect((await storedLevels(project, accepted)).length).toBe(accepted);
  });

  test('because its key was used with another body returns 8010 with the lines that are stored', async () => {
    const project = await world.project();
    const key = randomUUID();
    await insertLines(project, { body: lines(0, 10_100), key });
    const refused = await insertLines(project, { body: lines(0, 10_000) + line(77_777), key });
    expect([refused.status, refused.body.code]).toEqual([409, 8010]);
    const { accepted, settledLines } = refused.body.data;
    expect(accepted).toBeGreaterThan(1_000);
    expect(settledLines).toEqual([{ from: 0, to: accepted - 1 }]);
  });
});

test('an Idempotency-Key that was used with another body stores no event with an id of its own either', async () => {
  const project = await world.project();
  const { projectId } = project;
  const headers = { 'Idempotency-Key': randomUUID() };
  const call = { path: 'multiInsert', key: project.key, headers };
  const element = (level: number, more = {}) => ({ eventType: 'level', ...more, event: { level } });
  await gateway.send({ ...call, body: [element(1)] });
  await world.rows(projectId, 1);
  const [chunk] = world.chunks.filter((each) => each.projectId === projectId);
  await ledger.seal(randomUUID(), chunk === undefined ? [] : [chunk]);
  const mixed = [element(2), element(3, { eventId: randomUUID() })];
  for (const query of ['', '?atomic=true']) {
    const refused = await second.send({ ...call, path: `multiInsert${query}`, body: mixed });
    expect([refused.status, refused.body.code]).toEqual([409, 8010]);
  }
  expect(await storedLevels(project, 1)).toEqual([1]);
});
