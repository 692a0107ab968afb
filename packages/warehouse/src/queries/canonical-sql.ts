import type { QueryRefusal } from './check-query-tree.ts';
import { namesState } from './made-states.ts';

/**
 * Looks at SQL as ClickHouse's formatQuery() writes it: no comments, texts in '…', quoted names in `…`, a backslash before
 * what is special in either. Names that could be taken for a part of an explanation are refused, and so are
 * placeholders for names, whose values nobody has looked at, and for states of aggregate functions.
 */
export function checkCanonicalSql(sql: string): QueryRefusal | null {
  if (!/^[(\s]*(SELECT|WITH)\b/.test(sql)) return { reason: 'notSelect', message: 'only SELECT is taken' };
  const withoutTexts = sql.replace(/'(?:[^'\\]|\\.)*'/gs, "''");
  const quoted = withoutTexts.match(/`(?:[^`\\]|\\.)*`/gs) ?? [];
  const bad = quoted.find((name) => /[\\\p{Cc}:,]/u.test(name));
  if (bad !== undefined) return { reason: 'name', message: `${bad} is no name that a query may use` };
  const rest = withoutTexts.replace(/`[^`]*`/g, '_');
  if (/["`\\]/.test(rest)) return { reason: 'construct', message: 'the query cannot be understood' };
  if (/\{[^}]*:\s*Identifier\b[^}]*\}/.test(rest)) {
    return { reason: 'name', message: 'a parameter cannot be a name' };
  }
  if (namesState(withoutTexts)) return { reason: 'construct', message: 'a parameter cannot be a state' };
  return null;
}

/**
 * The same with another database in front of names that have this one: a query with `project_….\`match.won\`` is the same
 * for those who read other views. Before anybody looks at it, so that it is what comes out that is looked at.
 */
export function withDatabase(sql: string, written: string, database: string): string {
  if (written === database) return sql;
  return sql.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*(?=\.)/gs, (part) =>
    part === written ? database : part,
  );
}
