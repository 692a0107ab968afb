import { plainSql } from './plain-sql.ts';

export interface Place {
  readonly from: number;
  readonly to: number;
}

interface QueryFault {
  readonly reason: string;
  readonly message: string;
}

/** Where in the statement a refusal is: the word at the position, or the first place of the name. Null if unknown. */
export function locateFault(sql: string, { reason, message }: QueryFault): Place | null {
  const [, position] = /\bposition (\d+)/.exec(message) ?? [];
  if (position !== undefined) return wordAt(sql, charactersOf(sql, Number(position) - 1));
  if (reason === 'notSelect') return wordAt(sql, plainSql(sql).search(/\S/));
  if (reason === 'settings') return find(sql, 'SETTINGS');
  if (/^leave FORMAT out/.test(message)) return find(sql, 'FORMAT');
  const name = nameIn(message);
  if (name === null) return null;
  if (reason === 'parameter') return findParameter(sql, name);
  // ClickHouse can name a column without the table that is before it.
  return find(sql, name) ?? find(sql, name, String.raw`(?<!\w)`);
}

function nameIn(message: string): string | null {
  const [, called] = /\b([A-Za-z_]\w*)\(\)/.exec(message) ?? [];
  const [, table] = /\bthere is no (?:table|column) (\S+)/.exec(message) ?? [];
  const [, named] = /: ([A-Za-z_][\w.]*)(?: \(ClickHouse \d+\))?$/.exec(message) ?? [];
  return called ?? table ?? named ?? null;
}

function find(sql: string, name: string, start = String.raw`(?<![\w.])`): Place | null {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const found = new RegExp(String.raw`${start}${escaped}(?!\w)`, 'i').exec(plainSql(sql));
  return found === null ? null : { from: found.index, to: found.index + name.length };
}

function findParameter(sql: string, name: string): Place | null {
  const found = new RegExp(String.raw`\{\s*${name}\s*:[^{}]*\}`).exec(sql);
  return found === null ? null : { from: found.index, to: found.index + found[0].length };
}

/** ClickHouse counts bytes. */
function charactersOf(sql: string, bytes: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, bytes)).length;
}

function wordAt(sql: string, at: number): Place | null {
  if (at < 0 || sql === '') return null;
  const from = Math.min(at, sql.length - 1);
  const [word = ''] = /^(?:\w+|\S)/.exec(sql.slice(from)) ?? [];
  return { from, to: Math.min(sql.length, from + Math.max(1, word.length)) };
}
