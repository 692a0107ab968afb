import { is, isInnerExplain, nameOf, type Token } from './lexer.ts';
import { refusedEngine, refusedTableFunction } from './sources.ts';
import { TEMPORARY_DATABASE, unsupportedTable } from './system-tables.ts';

/** Functions that create files or start programs, whatever the user's permissions. */
const FILE_CALLS = new Set(['catboostevaluate', 'disk']);

/**
 * The access in a statement that the user's permissions do not cover (for those see the engine's configuration): to files of this
 * machine, to temporary tables of other requests, and to what the engine tells about them.
 */
export function outsideReach(found: readonly Token[]): string | undefined {
  const first = found[0]?.text.toUpperCase() ?? '';
  for (const i of found.keys()) {
    const what =
      fileClause(found, i) ??
      attachedFolder(found, i, first) ??
      dictionarySource(found, i, first) ??
      fileCall(found, i) ??
      refusedTableFunction(found, i) ??
      temporaryTables(found, i, first) ??
      innerPlan(found, i) ??
      shownAccess(found, i) ??
      unloadableClause(found, i, first) ??
      otherRights(found, i, first) ??
      frozenParts(found, i, first) ??
      unsupportedTable(found, i);
    if (what !== undefined) return what;
  }
  return refusedEngine(found);
}

function fileClause(found: readonly Token[], i: number): string | undefined {
  if (is(found[i], 'INTO') && is(found[i + 1], 'OUTFILE')) return 'INTO OUTFILE';
  if (is(found[i], 'FUNCTION') && is(found[i + 1], 'FILE')) return 'Writing to files with file()';
  return is(found[i], 'FROM') && is(found[i + 1], 'INFILE') ? 'FROM INFILE' : undefined;
}

function attachedFolder(found: readonly Token[], i: number, first: string): string | undefined {
  if (first !== 'ATTACH' || !is(found[i], 'FROM')) return undefined;
  return found[i + 1]?.kind === 'string' ? 'ATTACH … FROM a folder' : undefined;
}

/** Other sources are files, libraries, programs and other servers. */
const SOURCES = new Set(['clickhouse', 'null']);
const DEFINING = new Set(['CREATE', 'REPLACE', 'ATTACH', 'ALTER']);

function dictionarySource(found: readonly Token[], i: number, first: string): string | undefined {
  if (!DEFINING.has(first) || !is(found[i], 'SOURCE') || found[i + 1]?.text !== '(') return undefined;
  const source = nameOf(found[i + 2]);
  if (source === undefined || found[i + 3]?.text !== '(') return undefined;
  return SOURCES.has(source.toLowerCase()) ? undefined : `The source ${source}`;
}

function fileCall(found: readonly Token[], i: number): string | undefined {
  if (found[i + 1]?.text !== '(') return undefined;
  const called = nameOf(found[i])?.toLowerCase();
  return called !== undefined && FILE_CALLS.has(called) ? `${called}()` : undefined;
}

function temporaryTables(found: readonly Token[], i: number, first: string): string | undefined {
  const name = nameOf(found[i]);
  const refused = `The database ${TEMPORARY_DATABASE}`;
  if (name === TEMPORARY_DATABASE) return refused;
  // A parameter can hold the name.
  if (i === 0 && is(found[i], 'USE') && found.some(({ text }) => text === '{')) return 'USE with a parameter';
  // A stored table or database would read it later.
  if (DEFINING.has(first) && quotesTemporary(found[i])) return refused;
  if (name === undefined || found[i + 1]?.text !== '(') return undefined;
  const called = name.toLowerCase();
  if (called === 'merge' && quotesTemporary(found[i + 2])) return refused;
  if (called !== 'merge') return undefined;
  // It would open system.models, for which the engine starts a program.
  if (found[i + 2]?.text === "'system'") return 'merge() over the database system';
  if (DEFINING.has(first) && found[i + 3]?.text !== ',')
    return 'A stored merge() without the name of a database';
  if (isNamed(found, i + 2)) return undefined;
  return `${name}() without the name of a database in quotes`;
}

function quotesTemporary(token: Token | undefined): boolean {
  return token?.kind === 'string' && token.text.includes(TEMPORARY_DATABASE);
}

/** A name without quotes may be an alias of another text. */
function isNamed(found: readonly Token[], i: number): boolean {
  const [database = '', next] = found.slice(i, i + 2).map(({ text }) => text);
  if (next === ')') return true;
  if (database === 'currentDatabase')
    return (
      found
        .slice(i + 1, i + 4)
        .map(({ text }) => text)
        .join('') === '(),'
    );
  return next === ',' && /^'[^'\\]*'$/.test(database) && !database.includes(TEMPORARY_DATABASE);
}

/** These show no rule that hides rows. */
const WITHOUT_RULES = ['AST', 'SYNTAX', 'PIPELINE', 'ESTIMATE'];

/** The answer of EXPLAIN is checked, but not the one inside another statement. */
function innerPlan(found: readonly Token[], i: number): string | undefined {
  const isPlan =
    isInnerExplain(found, i) &&
    !WITHOUT_RULES.some((kind) => is(found[i + 1], kind)) &&
    !isTreeOfNames(found.slice(i + 1));
  return isPlan ? 'EXPLAIN of a plan inside another statement' : undefined;
}

const TREE_OF_NAMES = ['QUERY', 'TREE', 'RUN_PASSES', '=', '0'];

/** Without passes, a tree shows no body of a function. */
function isTreeOfNames(found: readonly Token[]): boolean {
  const same = TREE_OF_NAMES.every((word, i) => found[i]?.text.toUpperCase() === word);
  return same && found[TREE_OF_NAMES.length]?.text !== ',';
}

const ACCESS =
  'USER USERS ROLE ROLES ROW POLICY POLICIES MASKING QUOTA QUOTAS SETTINGS PROFILE PROFILES'.split(' ');

/** The users, roles and rules of this server. */
function shownAccess(found: readonly Token[], i: number): string | undefined {
  if (!is(found[i], 'SHOW') || (i > 0 && found[i - 1]?.text !== '(')) return undefined;
  const [next, last] = found.slice(i + 1, i + 3);
  if (is(next, 'ACCESS')) return 'SHOW ACCESS';
  if (is(next, 'GRANTS') && last !== undefined && !is(last, 'FORMAT')) return 'SHOW GRANTS of a name';
  const kind = is(next, 'CREATE') ? ACCESS.find((word) => is(last, word)) : undefined;
  return kind === undefined ? undefined : `SHOW CREATE ${kind}`;
}

/** ClickHouse accepts a subquery in a constraint or TTL of a table, and then cannot load the table at its next start. */
function unloadableClause(found: readonly Token[], i: number, first: string): string | undefined {
  if (!DEFINING.has(first) || !(is(found[i], 'CONSTRAINT') || is(found[i], 'TTL'))) return undefined;
  let depth = 0;
  for (let at = i + 1; at < found.length && depth >= 0; at += 1) {
    if (depth === 0 && is(found[at], 'AS')) return undefined;
    if (found[at]?.text === ')') depth -= 1;
    if (found[at]?.text !== '(') continue;
    depth += 1;
    if (SUBQUERY.some((word) => is(found[at + 1], word)))
      return `A subquery in ${found[i]?.text.toUpperCase()}`;
  }
  return undefined;
}

const SUBQUERY = ['SELECT', 'WITH', 'FROM', 'EXPLAIN', 'SHOW'];

/** Roles are for the product's own connections. */
function otherRights(found: readonly Token[], i: number, first: string): string | undefined {
  if (i !== 0 || first !== 'SET') return undefined;
  const isRole = is(found[1], 'ROLE') || (is(found[1], 'DEFAULT') && is(found[2], 'ROLE'));
  return isRole ? 'SET ROLE' : undefined;
}

/** The copies would stay in the data folder, where no client can use or remove them. */
function frozenParts(found: readonly Token[], i: number, first: string): string | undefined {
  if (first !== 'ALTER' || !is(found[i], 'FREEZE')) return undefined;
  const [before, next] = [found[i - 1], found[i + 1]];
  const isColumn =
    is(before, 'COLUMN') ||
    is(before, 'EXISTS') ||
    (next !== undefined && !FROZEN.includes(next.text.toUpperCase()));
  return isColumn ? undefined : 'ALTER TABLE … FREEZE';
}

const FROZEN = ['PARTITION', 'WITH', ',', 'SETTINGS', 'FORMAT'];
