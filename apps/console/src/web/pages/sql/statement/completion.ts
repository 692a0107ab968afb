import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { AnswerOf } from '../../../api/call.ts';
import { plainSql } from './plain-sql.ts';

export type QuerySchema = AnswerOf<'GET /v1/query/schema'>;

/** A name that SQL reads as it is. Others need quotes. */
const plainName = /^[A-Za-z_]\w*$/;

/** A name as a statement must write it. */
export function quoteName(name: string): string {
  return plainName.test(name) ? name : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** Completes the columns of the tables that the statement names, then tables and permitted functions. */
export function completeFrom(schemaNow: () => QuerySchema | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w]*/);
    const schema = schemaNow();
    if (schema === undefined || word === null) return null;
    const sql = context.state.doc.toString();
    const [, owner] =
      /(\w+|`(?:[^`\\]|\\.)+`)\.$/.exec(sql.slice(Math.max(0, word.from - 200), word.from)) ?? [];
    if (owner === undefined && word.from === word.to && !context.explicit) return null;
    const options = owner === undefined ? namesOf(schema, sql) : columnsOfOwner(schema, sql, owner);
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

type Table = QuerySchema['tables'][number];

function namesOf(schema: QuerySchema, sql: string): Completion[] {
  const columns = new Map(
    tablesIn(schema, sql)
      .flatMap(columnsOf)
      .map((each) => [each.label, each]),
  );
  return [
    ...columns.values(),
    ...schema.tables.map(({ name, comment }) => ({
      label: name,
      apply: quoteName(name),
      type: 'class',
      boost: 1,
      ...(comment !== '' && { info: comment }),
    })),
    ...schema.functions.map(({ name, syntax }) => ({
      label: name,
      apply: `${name}(`,
      type: 'function',
      boost: -1,
      ...(syntax !== '' && { info: syntax }),
    })),
  ];
}

function columnsOf({ columns }: Table): Completion[] {
  return columns.map(({ name, type, comment }) => ({
    label: name,
    apply: quoteName(name),
    type: 'property',
    detail: type,
    boost: 2,
    ...(comment !== '' && { info: comment }),
  }));
}

/** The tables that the statement reads; all of them before it names one. */
function tablesIn(schema: QuerySchema, sql: string): readonly Table[] {
  const words = new Set(plainSql(sql).match(/\w+/g) ?? []);
  return schema.tables.filter(({ name }) => words.has(name) || isQuotedIn(sql, name));
}

/** Such as `match.finished`, which is a table and no member of one. */
function isQuotedIn(sql: string, name: string): boolean {
  const written = quoteName(name);
  return written !== name && sql.includes(written);
}

/** The columns behind `level_up.` or behind its alias `l.` */
function columnsOfOwner(schema: QuerySchema, sql: string, owner: string): Completion[] {
  if (owner.startsWith('`'))
    return schema.tables.filter(({ name }) => quoteName(name) === owner).flatMap(columnsOf);
  const plain = plainSql(sql);
  const alias = new RegExp(String.raw`(\w+|\x60[^\x60]+\x60)\s+(?:AS\s+)?${owner}\b(?!\s*[.(])`, 'gi');
  const names = new Set([owner, ...Array.from(plain.matchAll(alias), ([, name]) => name ?? '')]);
  return schema.tables.filter(({ name }) => names.has(name) || names.has(quoteName(name))).flatMap(columnsOf);
}
