import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
const rows = page.matchAll(/^\| (\d{4}) \| (\d{3}) \| `(\w+)` \| (.+?) \|(.*)\|$/gm);
const documented = Array.from(rows, ([, code, status, reason, , data = '']) => ({
  code: Number(code),
  status: Number(status),
  reason,
  data: Array.from(data.matchAll(/`(\w+)`/g), ([, member]) => member),
}));
const known = Object.entries(errorCatalogue).map(([reason, { code, status, data }]) => ({
  code,
  status,
  reason,
  data: [...data],
}));

describe('docs/errors.md', () => {
  test('lists every error of the catalogue, and no other', () => {
    expect(documented.map((each) => each.reason)).toEqual(
      known.toSorted((a, b) => a.code - b.code).map((each) => each.reason),
    );
  });

  test.each(known)('describes code, status and data of $reason', (entry) => {
    expect(documented.find((each) => each.reason === entry.reason)).toEqual(entry);
  });

  test('has no row that its check cannot read', () => {
    const tableRows = page.split('\n').filter((line) => /^\|\s*\d/.test(line));
    expect(tableRows).toHaveLength(documented.length);
  });
});
