/** Quoted texts and comments, in which names and braces mean nothing. */
const quoted = /'(?:[^'\\]|\\.|'')*'?|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The statement with texts and comments blanked out. Every other character stays at its place. */
export function plainSql(sql: string): string {
  return sql.replaceAll(quoted, (part) => part.replaceAll(/[^\n]/g, ' '));
}
