import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileDeclaration, parseEventTypeFile } from '@tickrate/events';
import { expect, test } from 'vitest';

const samples = join(import.meta.dirname, '..', 'event-types');

test.each(readdirSync(samples))(
  '%s is a valid declaration, and describes itself and every member',
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
