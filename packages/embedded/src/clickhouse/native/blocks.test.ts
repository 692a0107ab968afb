import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlockPacker, packBlock, unpackBlocks } from './blocks.ts';
import { packLz4, unpackLz4 } from './lz4-block.ts';

const data = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.tuple(fc.constantFrom('abcd', 'x', '\0\0\0\0\0', 'row '), fc.nat({ max: 700 })), {
      maxLength: 20,
    })
    .map((parts) => Buffer.from(parts.map(([text, times]) => text.repeat(times)).join(''))),
);

async function unpacked(chunks: Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of unpackBlocks(chunks)) parts.push(part);
  return Buffer.concat(parts);
}

test('LZ4 decompresses what it compressed', () => {
  fc.assert(
    fc.property(data, (bytes) => {
      expect(unpackLz4(packLz4(bytes), bytes.length).equals(bytes)).toBe(true);
    }),
  );
});

test('LZ4 shrinks repeated text', () => {
  expect(packLz4(Buffer.from('a row of text\n'.repeat(1000))).length).toBeLessThan(200);
});

test('damaged LZ4 is reported, and never read or written out of bounds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 1000 }), (packed, size) => {
      try {
        expect(unpackLz4(Buffer.from(packed), size)).toHaveLength(size);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

test('reads blocks from chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(data, { maxLength: 4 }),
      fc.integer({ min: 1, max: 500 }),
      async (blocks, step) => {
        const wire = Buffer.concat(blocks.map(packBlock));
        const cuts = Array.from({ length: Math.ceil(wire.length / step) }, (_, i) =>
          wire.subarray(i * step, (i + 1) * step),
        );
        expect((await unpacked(cuts)).equals(Buffer.concat(blocks))).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

test('writes blocks of about a megabyte', async () => {
  const chunk = Buffer.from('0123456789'.repeat(10_000));
  const packed = await Readable.from(Array.from({ length: 25 }, () => chunk))
    .pipe(createBlockPacker())
    .toArray();
  expect(packed).toHaveLength(3);
  expect((await unpacked(packed)).length).toBe(2_500_000);
});

test('detects a flipped bit anywhere in a block', async () => {
  const block = packBlock(Buffer.from('some text that is long enough to be interesting'));
  for (const at of [0, 15, 16, 25, block.length - 1]) {
    const damaged = Buffer.from(block);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    await expect(unpacked([damaged])).rejects.toMatchObject({ code: 40 });
  }
  await expect(unpacked([block.subarray(0, -1)])).rejects.toMatchObject({ code: 271 });
});
