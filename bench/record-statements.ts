import { appendFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import pg from 'pg';
import type { RecordedStatement } from './replay-statements.ts';

/** Preloaded into a process: writes every statement that it sends to Postgres to a file. */
const file = process.env['BENCH_STATEMENTS'] ?? '';
const query = Reflect.get(pg.Client.prototype, 'query');

Reflect.set(pg.Client.prototype, 'query', function record(this: pg.Client, ...given: unknown[]): unknown {
  const [first, values] = given;
  const statement: RecordedStatement =
    typeof first === 'string'
      ? { text: first, values: Array.isArray(values) ? [...values] : [] }
      : { ...(first as RecordedStatement) };
  const { name, text, values: bound = [] } = statement;
  appendFileSync(file, `${serialize({ ...(name && { name }), text, values: bound }).toString('base64')}\n`);
  return Reflect.apply(query, this, given);
});
