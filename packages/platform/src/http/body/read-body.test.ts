import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Agent, request as send } from 'undici';
import { describe, expect, test } from 'vitest';
import { type Coding, codingNames, codings, put, startBodyHarness } from '../../testing/body-harness.ts';
import { connectRaw, exchangeRaw, parseAnswers } from '../../testing/http-harness.ts';

describe('a body', () => {
  test('is read whole, cut anywhere and in every coding', async () => {
    await using edge = await startBodyHarness({ limitBytes: 200_000 });
    const client = new Agent();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 3000 }),
        fc.constantFrom<Coding | 'identity'>('identity', ...codingNames),
        fc.integer({ min: 1, max: 2000 }),
        async (bytes, coding, cut) => {
          const sent = coding === 'identity' ? Buffer.from(bytes) : codings[coding](bytes);
          async function* pieces() {
            for (let at = 0; at < sent.length; at += cut) yield sent.subarray(at, at + cut);
          }
          const headers = { 'content-encoding': coding };
          const answer = await send(`${edge.url}/body`, {
            method: 'PUT',
            headers,
            body: Readable.from(pieces()),
            dispatcher: client,
          });
          expect(await answer.body.json()).toMatchObject({ length: bytes.length });
        },
      ),
      { numRuns: 60 },
    );
    await client.close();
  });

  test('that is large and compressed is inflated too', async () => {
    await using edge = await startBodyHarness({ limitBytes: 4_000_000 });
    const bytes = Buffer.concat([randomBytes(100_000), Buffer.alloc(1_900_000, 'a')]);
    for (const coding of codingNames) {
      const sent = codings[coding](bytes);
      expect(await put(edge, sent, { 'Content-Encoding': coding })).toMatchObject({
        body: { length: 2_000_000 },
      });
    }
  });

  test('coded as a bare deflate stream or as x-gzip is read as well', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    expect(await put(edge, deflateRawSync('plain'), { 'Content-Encoding': 'deflate' })).toMatchObject({
      body: { text: 'plain' },
    });
    expect(await put(edge, gzipSync('plain'), { 'Content-Encoding': 'X-GZIP' })).toMatchObject({
      body: { text: 'plain' },
    });
  });

  test('that is absent is empty, also with a Content-Encoding', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    expect(await put(edge, '')).toMatchObject({ status: 200, body: { length: 0 } });
    expect(await put(edge, '', { 'Content-Encoding': 'gzip' })).toMatchObject({
      status: 200,
      body: { length: 0 },
    });
  });

  test('is requested with 100 Continue only if it will be read', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const wanted = await connectRaw(edge.port);
    wanted.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
    await wanted.received('100 Continue');
    wanted.socket.write('body');
    expect(await wanted.received('"length":4')).toContain('HTTP/1.1 200');
    wanted.socket.destroy();
    // The answer comes although the body never does.
    const refused = await exchangeRaw(
      edge.port,
      'PUT /body HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4000\r\n\r\n',
    );
    expect(refused.startsWith('HTTP/1.1 413')).toBe(true);
  });
});

describe('a body of another type', () => {
  test('is 1005', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    for (const headers of [
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'Content-Encoding': 'gzip, gzip' },
      { 'Content-Encoding': 'compress' },
    ]) {
      expect(await put(edge, '{"a":"not compressed at all"}', headers)).toMatchObject({
        status: 415,
        body: { code: 1005, data: { reason: 'contentTypeInvalid' } },
      });
    }
  });

  test('is read when the type is one of those that clients send for JSON', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000, types: ['application/x-ndjson'] });
    for (const type of [
      'application/json; charset=UTF-8',
      'application/JSON;charset="utf-8"',
      'text/plain;charset=UTF-8',
      'application/vnd.game+json',
      'application/x-ndjson',
      'application/json; version=2',
    ]) {
      expect((await put(edge, '{}', { 'Content-Type': type })).status).toBe(200);
    }
  });
});

function undecodable(fields: RegExp) {
  const body = { code: 1009, fields: expect.stringMatching(fields), data: { reason: 'bodyNotDecodable' } };
  return { status: 400, body };
}

describe('a compressed body', () => {
  test('is 1009 when it is not of its coding', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    for (const coding of codingNames) {
      const answer = await put(edge, '{"a":"not compressed at all"}', { 'Content-Encoding': coding });
      expect([coding, answer]).toMatchObject([coding, undecodable(/^Content-Encoding: /)]);
    }
  });

  test('is 1009 when something follows its compressed data, which would be passed over', async () => {
    await using edge = await startBodyHarness({ limitBytes: 200_000 });
    for (const coding of codingNames) {
      for (const size of [10, 60_000]) {
        const sent = Buffer.concat([codings[coding](randomBytes(size)), Buffer.from('more')]);
        expect([coding, await put(edge, sent, { 'Content-Encoding': coding })]).toMatchObject([
          coding,
          undecodable(/other bytes follow|not valid/),
        ]);
      }
      const twice = Buffer.concat([codings[coding]('one'), codings[coding]('two')]);
      const isOneBody = coding === 'gzip' || coding === 'zstd';
      expect([coding, await put(edge, twice, { 'Content-Encoding': coding })]).toMatchObject([
        coding,
        isOneBody ? { body: { text: 'onetwo' } } : undecodable(/other bytes follow/),
      ]);
    }
  });

  test('is 1009 when its compressed stream is cut, and when it is damaged', async () => {
    await using edge = await startBodyHarness({ limitBytes: 100_000 });
    const text = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919 + (at >> 5)) % 251));
    for (const coding of codingNames) {
      for (const size of [text.length, 300]) {
        const whole = codings[coding](text.subarray(0, size));
        for (const left of [1, Math.floor(whole.length / 2), whole.length - 1]) {
          const cut = await put(edge, whole.subarray(0, left), { 'Content-Encoding': coding });
          expect([coding, left, cut]).toMatchObject([coding, left, undecodable(/ends before|not valid/)]);
        }
      }
    }
  });
});

describe('a body beyond its limit', () => {
  test('is 1004 before it is read if its length is announced', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const connection = await connectRaw(edge.port);
    connection.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n');
    const text = await connection.received('bodyTooLarge');
    expect(parseAnswers(text)[0]).toMatchObject({
      status: 413,
      body: { code: 1004, data: { amount: 1000 } },
    });
    connection.socket.destroy();
  });

  test('is 1004 as soon as it exceeds the limit if its length is not announced', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const connection = await connectRaw(edge.port);
    connection.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    connection.socket.write(`7d0\r\n${'x'.repeat(2000)}\r\n`);
    expect(parseAnswers(await connection.received('bodyTooLarge'))[0]?.status).toBe(413);
    connection.socket.destroy();
  });

  test('of exactly the limit is read, compressed or not', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const bytes = Buffer.alloc(1000, 'a');
    expect((await put(edge, bytes)).status).toBe(200);
    for (const coding of codingNames) {
      expect((await put(edge, codings[coding](bytes), { 'Content-Encoding': coding })).status).toBe(200);
      const more = codings[coding](Buffer.alloc(1001, 'a'));
      expect(await put(edge, more, { 'Content-Encoding': coding })).toMatchObject({
        status: 413,
        body: { code: 1004, data: { amount: 1000 } },
      });
    }
  });

  test('leaves the connection in use when the rest of it is small', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const connection = await connectRaw(edge.port);
    const body = 'x'.repeat(50_000);
    connection.socket.write(`PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n${body}`);
    connection.socket.write(
      'PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnext',
    );
    const answers = parseAnswers(await connection.closed());
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });

  test('is answered readably to a client that sends all of it before it listens', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    const connection = await connectRaw(edge.port);
    connection.socket.pause();
    connection.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n');
    connection.socket.write(Buffer.alloc(8_000_000));
    await once(connection.socket, 'drain');
    connection.socket.resume();
    expect(await connection.received('bodyTooLarge')).toContain('HTTP/1.1 413');
    connection.socket.destroy();
  });
});
