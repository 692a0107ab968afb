import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { codingNames, codings, put, startBodyHarness } from '../../testing/body-harness.ts';
import { connectRaw, startHarness } from '../../testing/http-harness.ts';
import { answerJson } from '../answers/answer.ts';
import { readBody } from './read-body.ts';

describe('a bomb', () => {
  const bombs = codingNames.map((coding) => ({
    coding,
    bytes: codings[coding](Buffer.alloc(64 * 1024 * 1024)),
  }));

  test.each(bombs)('in $coding is refused, and again', async ({ coding, bytes }) => {
    await using edge = await startBodyHarness({ limitBytes: 8 * 1024 * 1024 });
    for (let round = 0; round < 3; round++) {
      const answer = await put(edge, bytes, { 'Content-Encoding': coding });
      expect(answer).toMatchObject({ status: 413, body: { code: 1004 } });
    }
  });

  test('is stopped by its ratio far below the limit', async () => {
    await using edge = await startBodyHarness({ limitBytes: 64 * 1024 * 1024, ratio: 20 });
    const bytes = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const answer = await put(edge, bytes, { 'Content-Encoding': 'gzip' });
    const fields = 'Content-Encoding: a body may grow to 20 times what is sent, or to 64 KiB';
    expect(answer).toMatchObject({ status: 413, body: { fields, data: { amount: bytes.length * 20 } } });
  });

  test('that exceeds the limit itself does not mention a ratio', async () => {
    await using edge = await startBodyHarness({ limitBytes: 60_000 });
    const answer = await put(edge, gzipSync(Buffer.alloc(60_001)), { 'Content-Encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 413, body: { data: { amount: 60_000 }, fields: null } });
  });

  test('that asks zstd for a window of 128 MiB is 1009 and codingNames the largest window', async () => {
    await using edge = await startBodyHarness({ limitBytes: 1000 });
    // Magic, a header without content size, window descriptor 2^27; then one empty last block.
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00]);
    expect(await put(edge, bytes, { 'Content-Encoding': 'zstd' })).toMatchObject({
      status: 400,
      body: { code: 1009, fields: expect.stringContaining('8 MiB') },
    });
  });
});

describe('bodies in flight', () => {
  test('use no more memory together than the server allows', async () => {
    await using edge = await startHarness({
      limits: { heldBodyBytes: 100_000 },
      routes: (app) => {
        app.put('/body', async (request, response) => {
          answerJson(response, { length: (await readBody(request, { limitBytes: 90_000 })).length });
        });
      },
    });
    const first = await connectRaw(edge.port);
    first.socket.write('PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: 80000\r\n\r\n');
    first.socket.write(Buffer.alloc(70_000));
    await waitUntil(async () => (await put(edge, Buffer.alloc(60_000))).status === 503);
    first.socket.write(Buffer.alloc(10_000));
    await first.received('80000');
    first.socket.destroy();
    expect(await put(edge, Buffer.alloc(60_000))).toMatchObject({ status: 200 });
  });

  test('that are large and compressed are all inflated, some after others', async () => {
    await using edge = await startBodyHarness({ limitBytes: 2_000_000 });
    const sent = gzipSync(randomBytes(500_000));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => put(edge, sent, { 'Content-Encoding': 'gzip' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
