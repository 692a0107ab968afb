import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { connectRaw, type Harness, parseAnswers, startHarness } from '../../testing/http-harness.ts';
import { answerJson } from '../answers/answer.ts';
import { streamBody } from './body-stream.ts';

const types = ['application/x-ndjson'];

/** Answers how much came, and remembers every piece. */
async function start(limits: { limitBytes?: number; idleMs?: number } = {}) {
  const pieces: (Buffer | null)[] = [];
  const edge = await startHarness({
    routes: (app) =>
      app.put('/body', async (request, response) => {
        let bytes = 0;
        for await (const piece of streamBody(request, {
          limitBytes: 1024 ** 2,
          idleMs: 5_000,
          types,
          ...limits,
        })) {
          pieces.push(piece);
          bytes += piece?.length ?? 0;
        }
        answerJson(response, { bytes });
      }),
  });
  return { edge, pieces };
}

async function put({ url }: Harness, body: Buffer, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/body`, { method: 'PUT', body, headers });
  return { status: answer.status, body: await answer.json() };
}

describe('a streamed body', () => {
  test.each([
    ['identity', (body: Buffer) => body],
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['bare deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('comes whole and in order, in %s', async (coding, encode) => {
    const { edge, pieces } = await start();
    await using _edge = edge;
    const body = Buffer.from(randomBytes(250_000).toString('hex'));
    const headers = { 'Content-Encoding': coding.replace('bare ', '') };
    expect(await put(edge, encode(body), headers)).toMatchObject({
      body: { bytes: 500_000 },
    });
    expect(Buffer.concat(pieces.filter((piece) => piece !== null)).equals(body)).toBe(true);
    expect(await put(edge, Buffer.alloc(0))).toMatchObject({ body: { bytes: 0 } });
  });

  test.each([
    ['gzip', gzipSync, true],
    ['deflate', deflateSync, false],
    ['bare deflate', deflateRawSync, false],
    ['br', brotliCompressSync, false],
    ['zstd', zstdCompressSync, true],
  ] as const)(
    'passes over nothing that follows its compressed data, in %s',
    async (coding, encode, isOne) => {
      const { edge } = await start();
      await using _edge = edge;
      const headers = { 'Content-Encoding': coding.replace('bare ', '') };
      const twice = await put(edge, Buffer.concat([encode('one'), encode('two')]), headers);
      expect(twice).toMatchObject(isOne ? { body: { bytes: 6 } } : { status: 400, body: { code: 1009 } });
      const more = await put(edge, Buffer.concat([encode('one'), Buffer.from('more')]), headers);
      expect(more).toMatchObject({ status: 400, body: { code: 1009 } });
    },
  );

  test('arrives as it is sent, and reports a pause', async () => {
    const { edge, pieces } = await start();
    await using _edge = edge;
    const connection = await connectRaw(edge.port);
    connection.socket.write(
      'PUT /body HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n',
    );
    await waitUntil(() => pieces.length >= 2 && pieces.at(-1) === null, { what: 'a piece and a lull' });
    expect(pieces[0]?.toString()).toBe('first');
    connection.socket.write('4\r\nlast\r\n0\r\n\r\n');
    const [answer] = parseAnswers(await connection.closed());
    expect(answer).toMatchObject({ status: 200, body: { bytes: 9 } });
  });

  test('is 1004 beyond its limit, as sent and as inflated, and when it inflates too much', async () => {
    const { edge } = await start({ limitBytes: 100_000 });
    await using _edge = edge;
    const refused = { status: 413, body: { code: 1004 } };
    expect(await put(edge, randomBytes(100_001))).toMatchObject(refused);
    expect(await put(edge, gzipSync(randomBytes(100_001)), { 'Content-Encoding': 'gzip' })).toMatchObject(
      refused,
    );
    const large = await start({ limitBytes: 1024 ** 3 });
    await using _large = large.edge;
    const refusal = { ...refused, body: { code: 1004, fields: expect.stringContaining('200 times') } };
    const zeros = Buffer.alloc(90_000_000);
    expect(await put(large.edge, gzipSync(zeros), { 'Content-Encoding': 'gzip' })).toMatchObject(refusal);
    const bare = deflateRawSync(zeros);
    expect(await put(large.edge, bare, { 'Content-Encoding': 'deflate' })).toMatchObject(refusal);
  });

  test('is 1009 when it is damaged or cut, and 1005 when it is of a type or coding that is not read', async () => {
    const { edge } = await start();
    await using _edge = edge;
    const refused = { status: 400, body: { code: 1009, data: { reason: 'bodyNotDecodable' } } };
    const unread = { status: 415, body: { code: 1005 } };
    const whole = gzipSync(randomBytes(50_000));
    for (const body of [whole.subarray(0, 20_000), Buffer.from('no gzip at all')])
      expect(await put(edge, body, { 'Content-Encoding': 'gzip' })).toMatchObject(refused);
    for (const body of [deflateSync(randomBytes(50_000)), deflateRawSync(randomBytes(50_000))])
      expect(await put(edge, body.subarray(0, 20_000), { 'Content-Encoding': 'deflate' })).toMatchObject(
        refused,
      );
    expect(await put(edge, whole, { 'Content-Encoding': 'lzma' })).toMatchObject(unread);
    expect(await put(edge, whole, { 'Content-Type': 'image/png' })).toMatchObject(unread);
  });

  test('is 1008 if nothing arrives in time, or the client disconnected', async () => {
    const { edge } = await start({ idleMs: 100 });
    await using _edge = edge;
    const head = 'PUT /body HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\nContent-Length: 50\r\n\r\nhalf';
    const slow = await connectRaw(edge.port);
    slow.socket.write(head);
    const [answer] = parseAnswers(await slow.received('1008'));
    expect(answer).toMatchObject({ status: 408, body: { code: 1008 } });
    slow.socket.destroy();
    const gone = await connectRaw(edge.port);
    gone.socket.write(head.replace('mine', 'gone'));
    await waitUntil(() => gone.socket.bytesWritten > 0);
    gone.socket.resetAndDestroy();
    await waitUntil(() => edge.lines.some((line) => line['requestId'] === 'gone'), { what: 'its log line' });
    expect(edge.lines.filter((line) => line['msg'] === 'internal fault')).toEqual([]);
  });
});
