import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { uuidText } from '@tickrate/contract';
import { createEventIds } from '@tickrate/events';
import { createLedger } from '@tickrate/pipeline';
import { createTcpProxy, waitUntil } from '@tickrate/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, type SampleProject, startWorld } from '../testing/gateway-world.ts';

const { world, url } = await startWorld();

const gateway = await world.gateway({ STREAM_BYTES: '24MiB' });
const shortIdle = await world.gateway({ STREAM_IDLE: '2s' });

const line = (level: unknown, more = {}) =>
  `${JSON.stringify({ eventType: 'level', ...more, event: { level } })}\n`;
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => line(from + n)).join('');

/** The same lines with 100 spaces each, so that a block has fewer of them. */
const long = (text: string) => text.replaceAll('\n', `${' '.repeat(100)}\n`);

const ids = createEventIds(randomFillSync);
function newId(): string {
  const id = Buffer.alloc(16);
  ids.write(id, 0, Date.now());
  return uuidText(id, 0);
}

interface Stream {
  readonly sent: ClientRequest;
  readonly answer: Promise<Answer>;
  /** Resolves when the data was handed over, even to a slow receiver. */
  write(text: string | Buffer): Promise<void>;
}

function open({ key }: SampleProject, headers: Record<string, string> = {}, at = gateway): Stream {
  const sent = request(`${at.url}/v1/event/multiInsert`, {
    method: 'PUT',
    agent: false,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson', ...headers },
  });
  sent.on('error', () => undefined);
  // Each waiting write adds two listeners until its connection ends.
  sent.setMaxListeners(200);
  return {
    sent,
    answer: answerTo(sent),
    async write(text) {
      if (!sent.write(text)) await Promise.race([once(sent, 'drain'), once(sent, 'close')]);
    },
  };
}

async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = await once(sent, 'response');
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(response, 'end');
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) };
}

async function levelsOf(projectId: string, count: number): Promise<number[]> {
  return (await world.rows(projectId, count)).map(({ data }) => Number(data.get('level')));
}

// Invariant (Delivery): A stream that is cut anywhere and sent again with its key is stored once
describe('a stream of lines', () => {
  test('is stored while it arrives, and reported at its end', async () => {
    const project = await world.project();
    const stream = open(project);
    await stream.write(lines(0, 2_500) + line('x') + line(2_501).slice(0, 20));
    expect((await levelsOf(project.projectId, 2_500)).length).toBe(2_500);
    await stream.write(line(2_501).slice(20) + lines(2_502, 2_600));
    expect((await levelsOf(project.projectId, 2_599)).toSorted((a, b) => a - b).at(-1)).toBe(2_599);
    stream.sent.end(line(2_600).trimEnd());
    const { status, body } = await stream.answer;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      accepted: 2_600,
      rejected: [{ index: 2_500, errors: [{ location: '/2500/event/level' }] }],
    });
    expect(Object.keys(body)).toEqual(['accepted', 'rejected']);
  });

  test.each(['identity', 'gzip'])('may be longer than any other body, in %s', async (coding) => {
    const project = await world.project();
    const stream = open(project, { 'Content-Encoding': coding });
    const padded = Array.from({ length: 100 }, (_, n) =>
      line(n, { occurredAt: String(Date.now() + n) }),
    ).join('\n'.repeat(900));
    const body = Buffer.from(padded.repeat(100));
    expect(body.length).toBeGreaterThan(8 * 1024 ** 2);
    await stream.write(coding === 'gzip' ? gzipSync(body) : body);
    stream.sent.end();
    expect((await stream.answer).body).toEqual({ accepted: 10_000, rejected: [] });
    expect(await levelsOf(project.projectId, 10_000)).toHaveLength(10_000);
  });

  test('rejects each line that is too long, not text or not JSON, and no other', async () => {
    const project = await world.project();
    const stream = open(project);
    await stream.write(line(1) + line('x'.repeat(500_000)));
    await stream.write(Buffer.concat([Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from('{"a":\n')]));
    stream.sent.end(line(2));
    const { body } = await stream.answer;
    expect(body.accepted).toBe(2);
    const reported = body.rejected.map((each: { index: number; errors: { reason: string }[] }) => [
      each.index,
      each.errors[0]?.reason,
    ]);
    expect(reported).toEqual([
      [1, 'tooLong'],
      [2, 'format'],
      [3, 'format'],
    ]);
  });

  test('lists a bounded number of rejected lines, and counts them all', async () => {
    const project = await world.project();
    const stream = open(project);
    await stream.write('{}\n'.repeat(12_000));
    stream.sent.end(line(1));
    const { body } = await stream.answer;
    expect([body.accepted, body.rejected.length, body.rejectedInAll]).toEqual([1, 10_000, 12_000]);
  });
});

test('a stream with a fault of its own and a block of unknown outcome is answered with the unknown outcome', async () => {
  const project = await world.project();
  const queue = await createTcpProxy(url);
  onTestFinished(() => queue.close());
  const small = await world.gateway({ STREAM_BYTES: '1MiB', QUEUE_URL: queue.url });
  await waitUntil(() => small.ready(), { what: 'the gateway to accept' });
  queue.freeze();
  const stream = open(project, {}, small);
  // The first block is on its way to the queue when the stream becomes too long.
  await stream.write(long(lines(0, 3_000)));
  stream.sent.end('\n'.repeat(1024 ** 2));
  const { status, body } = await stream.answer;
  expect([status, body.code, body.data.outcomeUnknown]).toEqual([503, 6001, true]);
  queue.open();
});

describe('a stream that is cut', () => {
  test('and repeated with its key is stored once, cut anywhere', async () => {
    const project = await world.project();
    const headers = { 'Idempotency-Key': 'upload-1' };
    const all = long(
      lines(0, 1_500) +
        line('x') +
        lines(1_501, 3_000) +
        line(3_000, { eventId: newId() }) +
        lines(3_001, 4_000),
    );
    const first = open(project, headers);
    first.answer.catch(() => undefined);
    await first.write(all.slice(0, Math.floor(all.length * 0.6)));
    await world.rows(project.projectId, 1_000);
    first.sent.destroy();
    const second = open(project, headers);
    for (let at = 0; at < all.length; at += 7_777) await second.write(all.slice(at, at + 7_777));
    second.sent.end();
    expect((await second.answer).body).toMatchObject({ accepted: 3_999, rejected: [{ index: 1_500 }] });
    await waitUntil(async () => new Set(await levelsOf(project.projectId, 3_999)).size === 3_999, {
      timeoutMs: 60_000,
      what: 'every line in the queue',
    });
    expect(await sealedRows(project.projectId)).toBe(3_999);
  });

  test('because no data arrives is 1008, with the accepted events', async () => {
    const project = await world.project();
    const stream = open(project, {}, shortIdle);
    await stream.write(lines(0, 5));
    const { status, body } = await stream.answer;
    expect([status, body.code]).toEqual([408, 1008]);
    expect(body.fields).toContain('5 events of this stream were accepted before');
    expect(await levelsOf(project.projectId, 5)).toEqual([0, 1, 2, 3, 4]);
  });

  test('because it is too long is 1004 while nothing is stored', async () => {
    const project = await world.project();
    const stream = open(project, { 'Content-Length': String(25 * 1024 ** 2) });
    stream.sent.flushHeaders();
    expect((await stream.answer).body).toMatchObject({ code: 1004, data: { amount: 24 * 1024 ** 2 } });
  });

  test('because it is too long is 8011 after that, and earlier events stay stored', async () => {
    const project = await world.project();
    const stream = open(project);
    await stream.write(lines(0, 1_000));
    await levelsOf(project.projectId, 1_000);
    const endless = Buffer.alloc(1024 ** 2, 'x');
    for (let n = 0; n < 25; n++) await stream.write(endless);
    stream.sent.end();
    expect((await stream.answer).body).toMatchObject({
      code: 8011,
      data: { accepted: 1_000, settledLines: [{ from: 0, to: 999 }], interruptedBy: 'bodyTooLarge' },
    });
    expect(await levelsOf(project.projectId, 1_000)).toHaveLength(1_000);
  });

  test('because the quota is used up is 8009', async () => {
    const project = await world.project();
    const quotas = { projectId: project.projectId, name: 'quotas', value: { eventsPerDay: 1_500 } };
    await world.registry.setPolicy(quotas);
    const stream = open(project);
    await stream.write(lines(0, 1_000));
    await levelsOf(project.projectId, 1_000);
    await stream.write(lines(1_000, 2_000));
    await levelsOf(project.projectId, 2_000);
    stream.sent.end(lines(2_000, 2_010));
    const { status, body } = await stream.answer;
    expect([status, body.code]).toEqual([429, 8009]);
    expect(body.fields).toContain('2000 events');
  });
});

/** How many rows of the project a worker would store from all chunks. */
async function sealedRows(projectId: string): Promise<number> {
  const ledger = createLedger({ postgresUrl: url });
  let rows = 0;
  for (const chunk of world.chunks.filter((each) => each.projectId === projectId)) {
    rows += (await ledger.seal(newId(), [chunk])).won?.rows ?? 0;
  }
  await ledger.close();
  return rows;
}
