import { describe, expect, test } from 'vitest';
import { parseEventTypeFile } from './event-type-file.ts';

describe('a file that declares an event type', () => {
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
  ])('is rejected with a pointer to each fault: %s', (text, pointers) => {
    const parsed = parseEventTypeFile(text);
    expect(parsed.ok ? [] : parsed.faults.map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
