/** What a terminal obeys, and what changes the order of the text around it. */
const controls = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text of players or colleagues in one line, with escapes for control characters. JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replaceAll(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As `printable`, of lines and columns. */
export function printableLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}
