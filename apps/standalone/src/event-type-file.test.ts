import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileDeclaration } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { parseEventTypeFile } from './event-type-file.ts';

const samples = join(import.meta.dirname, '..', 'event-types');

describe('a file that declares an event type', () => {
  test.each(readdirSync(samples))(
    'such as %s is in the profile, and describes itself and every member',
    (name) => {
      const parsed = parseEventTypeFile(readFileSync(join(samples, name), 'utf8'));
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
      expect(name).toBe(`${parsed.file.name}.json`);
      expect(parsed.file.description).toMatch(/\w/);
      const compiled = compileDeclaration(parsed.file.declaration);
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
      for (const column of compiled.declaration.columns) expect(column.description).toMatch(/\w/);
    },
  );

  test('needs no description', () => {
    expect(parseEventTypeFile('{"name":"a","declaration":{}}')).toEqual({
      ok: true,
      file: { name: 'a', description: null, declaration: {} },
    });
  });

  test.each([
    ['not json', ['']],
    ['[]', ['']],
    ['null', ['']],
    ['{}', ['/name', '/declaration']],
    ['{"name":1,"description":2,"declaration":{},"descripton":""}', ['/name', '/description', '/descripton']],
    ['{"name":"a","declaration":{},"a/b":1}', ['/a~1b']],
    ['{"name":"a","declaration":{"type":"object","type":"object"}}', ['']],
    ['{"name":"a","declaration":{"minimum":9007199254740993}}', ['/declaration/minimum']],
  ])('is refused when it is %s, with a pointer to each fault', (text, pointers) => {
    const parsed = parseEventTypeFile(text);
    expect(parsed.ok ? [] : parsed.faults.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
