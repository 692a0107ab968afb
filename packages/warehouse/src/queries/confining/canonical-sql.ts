import type { QueryRefusal } from './check-query-tree.ts';
import { namesState } from './made-states.ts';

/**
 * Checks SQL in the form that ClickHouse's formatQuery() writes: no comments, texts in '…', quoted names in `…`, a
 * backslash before special characters in either. Rejects names that could look like a part of an explanation,
 * placeholders for names, whose values are not checked, and placeholders for states of aggregate functions.
 */
export function checkCanonicalSql(sql: string): QueryRefusal | null {
  if (!/^[(\s]*(SELECT|WITH)\b/.test(sql)) return { reason: 'notSelect', message: 'only SELECT is allowed' };
  const withoutTexts = sql.replace(/'(?:[^'\\]|\\.)*'/gs, "''");
  const quoted = withoutTexts.match(/`(?:[^`\\]|\\.)*`/gs) ?? [];
  const bad = quoted.find((name) => /[\\\p{Cc}:,]/u.test(name));
  if (bad !== undefined) return { reason: 'name', message: `${bad} is not an allowed name in a query` };
  const rest = withoutTexts.replace(/`[^`]*`/g, '_');
  if (/\nFORMAT \w+\s*$/.test(rest) && !/\bINTO OUTFILE\b/.test(rest)) {
    return { reason: 'construct', message: 'leave FORMAT out: use the member `format`' };
  }
  if (/["`\\]/.test(rest)) return { reason: 'construct', message: 'the query cannot be understood' };
  if (/\{[^}]*:\s*Identifier\b[^}]*\}/.test(rest)) {
    return { reason: 'name', message: 'a parameter cannot be a name' };
  }
  if (namesState(withoutTexts)) return { reason: 'construct', message: 'a parameter cannot be a state' };
  return null;
}

/**
 * Replaces the database in front of names: a query with `project_….\`match.won\`` then also works for callers who read
 * other views. It runs before all checks, so the result is checked.
 */
export function withDatabase(sql: string, written: string, database: string): string {
  if (written === database) return sql;
  return sql.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*(?=\.)/gs, (part) =>
    part === written ? database : part,
  );
}
