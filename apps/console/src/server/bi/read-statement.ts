/**
 * A statement of a BI tool and the format that it names. Writes the statements with which tools look for tables as SELECTs
 * over `system`, and leaves all others as they are.
 */
export function readStatement(text: string) {
  const whole = withoutEnd(text.replace(leading, ''));
  const found = /\sFORMAT\s+([A-Za-z]\w*)$/i.exec(whole);
  const sql = found === null ? whole : withoutEnd(whole.slice(0, found.index));
  const format = found?.[1] ?? null;
  for (const [pattern, select] of lookUps) {
    const names = pattern.exec(sql)?.groups;
    if (names !== undefined) return { sql: select(names), format };
  }
  return { sql, format };
}

/** Blanks and comments, in which tools name the user and the chart. */
const leading = /^(?:\s|--[^\n]*(?:\n|$)|\/\*.*?\*\/)+/s;

/** No pattern: one that is not anchored at its beginning takes quadratic time for a text with many blanks. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s;]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

type Names = Readonly<Record<string, string | undefined>>;

const part = '(?:`[^`\\\\]+`|"[^"\\\\]+"|[\\w-]+)';
const table = `(?:(?<database>${part})\\.)?(?<table>${part})`;

function lookUp(words: string): RegExp {
  return new RegExp(`^${words.replaceAll(' ', '\\s+')}$`, 'i');
}

const lookUps: readonly (readonly [RegExp, (names: Names) => string])[] = [
  [lookUp('(?<all>SHOW) (?:DATABASES|SCHEMAS)'), () => 'SELECT name FROM system.databases'],
  [
    lookUp(`SHOW (?:FULL\\s+)?TABLES(?: (?:FROM|IN) (?<database>${part}))?(?: LIKE '(?<like>[^'\\\\]*)')?`),
    ({ database, like }) =>
      `SELECT name FROM system.tables WHERE ${isIn(database)}${like === undefined ? '' : ` AND name LIKE '${like}'`} ORDER BY name`,
  ],
  [
    lookUp(`DESC(?:RIBE)?(?: TABLE)? ${table}`),
    (names) =>
      `SELECT name, type, '' AS default_type, '' AS default_expression, comment, '' AS codec_expression, '' AS ttl_expression FROM system.columns WHERE ${isIn(names['database'])} AND table = ${quoted(names['table'])} ORDER BY position`,
  ],
  [
    lookUp(`EXISTS DATABASE (?<database>${part})`),
    ({ database }) =>
      `SELECT toUInt8(count() > 0) AS result FROM system.databases WHERE name = ${quoted(database)}`,
  ],
  [
    lookUp(`EXISTS(?: (?:TABLE|VIEW))? ${table}`),
    (names) =>
      `SELECT toUInt8(count() > 0) AS result FROM system.tables WHERE ${isIn(names['database'])} AND name = ${quoted(names['table'])}`,
  ],
];

function isIn(database: string | undefined): string {
  return database === undefined ? '1' : `database = ${quoted(database)}`;
}

/** The pattern of a name permits no backslash. */
function quoted(name = ''): string {
  return `'${name.replace(/^[`"](.*)[`"]$/s, '$1').replaceAll("'", "''")}'`;
}
