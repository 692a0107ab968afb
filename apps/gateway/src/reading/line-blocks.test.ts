import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineBlock, LineBlocks } from './line-blocks.ts';

const options = { blockBytes: 60, blockLines: 4, lineBytes: 30 };

/** The blocks of a body that arrives in pieces that end at these places. */
function blocksOf(body: Buffer, cuts: readonly number[] = []): LineBlock[] {
  const blocks = new LineBlocks(options);
  const found: LineBlock[] = [];
  const ends = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, body.length]) {
    found.push(...blocks.push(body.subarray(from, end)));
    from = end;
  }
  return [...found, ...blocks.end()];
}

test('a body cut anywhere has the same blocks, with every line that is not empty', () => {
  const line = fc.oneof(fc.constantFrom('', ' ', '\r', '\t '), fc.stringMatching(/^[a-z{}ü]{1,30}\r?$/));
  const cuts = fc.array(fc.nat(2_000), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), cuts, fc.boolean(), (lines, places, endsWithNewline) => {
      const body = Buffer.from(lines.join('\n') + (endsWithNewline ? '\n' : ''));
      const whole = blocksOf(body);
      expect(blocksOf(body, places)).toEqual(whole);
      const wanted = lines.filter((text) => text.trim() !== '').map((text) => text.slice(0, 31));
      const found = whole.flatMap((block) => block.body.toString().split('\n').slice(0, -1));
      if (wanted.every((text) => Buffer.byteLength(text) <= 30)) expect(found).toEqual(wanted);
      expect(found.length).toBe(wanted.length);
      let index = 0;
      for (const [number, block] of whole.entries()) {
        expect([block.number, block.firstIndex]).toEqual([number, index]);
        index += block.body.toString().split('\n').length - 1;
        expect(block.body.length).toBeLessThanOrEqual(60 + 32);
      }
    }),
  );
});

test('a full block is complete when another line follows it', () => {
  const blocks = new LineBlocks(options);
  expect([...blocks.push(Buffer.from('a\nb\nc\nd\n\n'))]).toEqual([]);
  expect([...blocks.push(Buffer.from('e\n'))]).toMatchObject([{ number: 0, firstIndex: 0, lines: 4 }]);
  expect([...blocks.end()]).toMatchObject([{ number: 1, firstIndex: 4, lines: 1 }]);
});

test('only the beginning of a line that is too long is kept', () => {
  const [block] = blocksOf(Buffer.from(`${'x'.repeat(10_000)}\nshort\n`), [100, 5_000, 9_999]);
  expect(block?.body.toString()).toBe(`${'x'.repeat(31)}\nshort\n`);
});

test('whole lines are available before their block is complete', () => {
  const blocks = new LineBlocks(options);
  expect([...blocks.push(Buffer.from('a\nb'))]).toEqual([]);
  expect(blocks.flush()).toEqual({ body: Buffer.from('a\n'), number: 0, firstIndex: 0, lines: 1 });
  expect(blocks.flush()).toBeNull();
  expect([...blocks.end()]).toEqual([{ body: Buffer.from('b\n'), number: 1, firstIndex: 1, lines: 1 }]);
});
