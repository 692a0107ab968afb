/** Quotes a ClickHouse identifier. Any text stays one name. */
export function quoteIdentifier(name: string): string {
  if (name === '') throw new RangeError('An identifier must not be empty');
  return `\`${escapeIn(name, '`')}\``;
}

/** Quotes a ClickHouse string literal that reads back as exactly this text. */
export function quoteString(text: string): string {
  return `'${escapeIn(text, "'")}'`;
}

/** A member of a JSON column: every step of the dotted path is a separate identifier. */
export function quotePath(path: string): string {
  return path.split('.').map(quoteIdentifier).join('.');
}

const codes: Readonly<Record<string, string>> = { '\0': '\\0', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeIn(text: string, quote: string): string {
  if (!text.isWellFormed()) throw new RangeError('A name or text in SQL must be well-formed Unicode');
  let escaped = '';
  for (const character of text) {
    if (character === '\\' || character === quote) escaped += `\\${character}`;
    else escaped += codes[character] ?? character;
  }
  return escaped;
}
