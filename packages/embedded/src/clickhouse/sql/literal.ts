const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
};

/** A string as a ClickHouse literal: nothing in it can end the quotes. */
export function stringLiteral(text: string): string {
  return `'${text.replace(/[\\'\0\n\r]/g, (c) => ESCAPES[c] ?? c)}'`;
}

/** Names that can stand in a statement as they are. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

export function quotedIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, (c) => `\\${c}`)}\``;
}
