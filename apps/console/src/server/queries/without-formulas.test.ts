import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeCsv } from '../../web/export/csv.ts';
import { withoutFormulas } from './without-formulas.ts';

/** As ClickHouse writes it: every text in quotes. */
function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) =>
    typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}

const cells = fc.oneof(
  fc.integer(),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'a', 'ä', '1') }),
);

test('exactly the texts that begin like a formula get an apostrophe, however the answer is split', async () => {
  const rows = fc.array(fc.array(cells, { minLength: 1 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (given, size) => {
      const bytes = Buffer.from(csvOf(given));
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const safe = given.map((row) =>
        row.map((cell) => (typeof cell === 'string' && /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell)),
      );
      expect(await text(Readable.from(parts).pipe(withoutFormulas()))).toBe(csvOf(safe));
    }),
  );
});

test('the downloads of the pages protect the same texts', async () => {
  const texts = Array.from({ length: 128 }, (_, code) => [`${String.fromCharCode(code)}1`]);
  const isSafe = (csv: string) => csv.includes("'") && !csv.includes("'1");
  for (const [cell = ''] of texts) {
    const answer = await text(Readable.from([Buffer.from(csvOf([[cell]]))]).pipe(withoutFormulas()));
    expect(isSafe(answer)).toBe(isSafe(writeCsv([], [[cell]])));
  }
});
