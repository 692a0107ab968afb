import { is, nameOf, type Token } from './lexer.ts';
import { outsideReach } from './outside-reach.ts';
import type { RefusedStatement } from './statement.ts';

/** Statements that only read. */
export const READS = new Set([
  'SELECT',
  'WITH',
  'FROM',
  'SHOW',
  'DESC',
  'DESCRIBE',
  'EXPLAIN',
  'EXISTS',
  '(',
]);

/** The words that can follow `(` at the start of a statement. */
const BRACKETED = new Set(['SELECT', 'WITH', 'FROM', '(']);

const TABLES = 'TABLE VIEW DATABASE TEMPORARY MATERIALIZED'.split(' ');
const ANYTHING = undefined;

/** Statements that do more than read, and the words that can follow. Undefined means any word. */
const COMMANDS: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map(
  Object.entries({
    INSERT: ANYTHING,
    CREATE: [...TABLES, 'OR', 'FUNCTION', 'INDEX', 'UNIQUE'],
    REPLACE: TABLES,
    ATTACH: TABLES,
    DETACH: TABLES,
    DROP: [...TABLES, 'FUNCTION', 'INDEX'],
    UNDROP: ['TABLE'],
    TRUNCATE: ANYTHING,
    RENAME: ['TABLE', 'DATABASE'],
    EXCHANGE: ['TABLES'],
    ALTER: ['TABLE', 'TEMPORARY', 'DATABASE'],
    DELETE: ['FROM'],
    UPDATE: ANYTHING,
    OPTIMIZE: ['TABLE'],
    CHECK: ['TABLE', 'ALL', 'GRANT'],
    KILL: ['QUERY', 'MUTATION'],
    SET: ANYTHING,
    USE: ANYTHING,
    SYSTEM: ['FLUSH', 'DROP', 'CLEAR'],
  }).map(([first, next]) => [first, next === undefined ? undefined : new Set(next)]),
);

/** Statements of ClickHouse that this server does not support. All other words are syntax errors. */
const UNSERVED = new Set(
  'BACKUP RESTORE EXECUTE IMPORT MOVE GRANT REVOKE BEGIN COMMIT ROLLBACK WATCH CALL COPY PARALLEL'.split(' '),
);

const WHERE = '(docs/embedded-clickhouse.md)';

/**
 * Rejects every statement that is not listed, a statement that contains another one (the engine checks the permissions
 * and settings of the first only), and what the user's permissions do not cover.
 */
export function refuse(found: readonly Token[]): RefusedStatement | undefined {
  const what = combinator(found) ?? unlisted(found) ?? outsideReach(found);
  if (what !== undefined) {
    const message = `${what} is not supported by the embedded ClickHouse ${WHERE}`;
    return { kind: 'refused', code: 'notImplemented', message };
  }
  const [first] = found;
  if (first === undefined || isListed(first)) return undefined;
  const place = `failed at position 1: ${first.text.slice(0, 100)}`;
  const message = `Syntax error: ${place}: a statement was expected by the embedded ClickHouse ${WHERE}`;
  return { kind: 'refused', code: 'syntaxError', message };
}

function isListed({ text }: Token): boolean {
  const keyword = text.toUpperCase();
  return READS.has(keyword) || COMMANDS.has(keyword);
}

/** `a PARALLEL WITH b` runs both statements, which can be of any kind. */
function combinator(found: readonly Token[]): string | undefined {
  const parallel = found.some((token, i) => is(token, 'PARALLEL') && is(found[i + 1], 'WITH'));
  return parallel ? 'PARALLEL WITH' : undefined;
}

function unlisted(found: readonly Token[]): string | undefined {
  const first = found[0]?.text.toUpperCase() ?? '';
  if (UNSERVED.has(first)) return first;
  if (first === '(') return bracketed(found);
  const allowed = COMMANDS.get(first);
  if (allowed === undefined) return undefined;
  const next = keywordAt(found, 1);
  if (!allowed.has(next)) return `${first} ${next}`.trim();
  if (first === 'SYSTEM') return unlistedSystem(found);
  return next === 'OR' ? unlistedReplacement(found) : unlistedFunction(found, 1);
}

const CACHES = [
  'COMPILED EXPRESSION',
  'DNS',
  'FORMAT SCHEMA',
  'INDEX MARK',
  'INDEX UNCOMPRESSED',
  'MARK',
  'MMAP',
  'PRIMARY INDEX',
  'QUERY',
  'QUERY CONDITION',
  'SCHEMA',
  'UNCOMPRESSED',
];
const SYSTEM_STATEMENTS = new Set([
  'FLUSH LOGS',
  ...CACHES.flatMap((cache) => [`DROP ${cache} CACHE`, `CLEAR ${cache} CACHE`]),
]);

/** No other one is needed, and most of them stop or change the engine of the product. */
function unlistedSystem(found: readonly Token[]): string | undefined {
  const words = found.slice(1).map(({ text }) => text.toUpperCase());
  const text = words.filter((word) => word !== ';').join(' ');
  return SYSTEM_STATEMENTS.has(text) ? undefined : `SYSTEM ${text.slice(0, 100)}`;
}

/** `CREATE OR REPLACE x` creates an x. */
function unlistedReplacement(found: readonly Token[]): string | undefined {
  const next = keywordAt(found, 3);
  if (is(found[2], 'REPLACE') && (TABLES.includes(next) || next === 'FUNCTION'))
    return unlistedFunction(found, 3);
  return `CREATE OR REPLACE ${next}`;
}

/** These fail when they are called. */
const FAILING = new Set(['file', 'getServerSetting']);

/** A function must be an expression, not a program or library. */
function unlistedFunction(found: readonly Token[], at: number): string | undefined {
  if (!is(found[0], 'CREATE') || !is(found[at], 'FUNCTION')) return undefined;
  const isExpression =
    found.some((token) => is(token, 'AS')) && !found.some((token) => is(token, 'LANGUAGE'));
  if (!isExpression) return 'CREATE FUNCTION without AS';
  const called = found
    .slice(at + 1)
    .map(nameOf)
    .find((name) => name !== undefined && FAILING.has(name));
  return called === undefined ? undefined : `${called}() in a function`;
}

function bracketed(found: readonly Token[]): string | undefined {
  const inner = found.find(({ text }) => text !== '(');
  if (inner === undefined || BRACKETED.has(inner.text.toUpperCase())) return undefined;
  return `(${inner.text.slice(0, 100).toUpperCase()} …)`;
}

function keywordAt(found: readonly Token[], i: number): string {
  const token = found[i];
  return token?.kind === 'word' ? token.text.toUpperCase() : '';
}
