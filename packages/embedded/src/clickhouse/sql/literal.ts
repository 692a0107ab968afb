const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
};

/** A string as a ClickHouse literal. Nothing in it can end the quotes. */
export function stringLiteral(text: string): string {
  return `'${text.replace(/[\\'\0\n\r]/g, (c) => ESCAPES[c] ?? c)}'`;
}

/** Whether a name needs no quotes. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

export function quotedIdentifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, (c) => `\\${c}`)}\``;
}

/** Converts latin1 text (see the lexer) back to the client's text. */
export function sent(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
