/**
 * What a terminal obeys, what changes the order of the text around it, and what nobody sees. The joiners stay: Persian and emoji
 * are written with them.
 */
const invisible = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const reordering = /[\u202A-\u202E\u2066-\u2069]/u;

/** A text of players or colleagues in one line, with escapes for invisible characters. JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replaceAll(invisible, (character) => character.split('').map(escaped).join(''));
}

/** As `printable`, of lines and columns. */
export function printableLines(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}

/** Why a text cannot be a name or a description; null if it can. Such a text shows other words than it contains. */
export function reorderingFault(text: string): string | null {
  const found = reordering.exec(text)?.[0];
  return found === undefined
    ? null
    : `contains ${escaped(found)}, which changes the order of the text around it`;
}

/** The format of a member of a schema whose text colleagues or players read. */
export const shownTextFormat = 'shown-text';

/** A name that a platform confirmed: its user still signs in. */
export function withoutReordering(text: string): string {
  return text.replaceAll(new RegExp(reordering, 'gu'), '');
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
