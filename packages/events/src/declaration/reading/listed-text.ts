import { printable, printableLines } from '@tickrate/contract';

const shownValues = 20;
const shownCharacters = 1_000;
const shownLines = 20;

/** Some of the values of a list, for people: the list itself may be long. */
export function listedText(values: readonly unknown[]): string {
  const shown = values.slice(0, shownValues).map((value) => printable(shortText(String(value), 100)));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** What ends a line in any of the languages that code is generated for. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** The beginning of what a declaration says about a member, in visible characters, where it is copied to: a view, generated code. */
export function shownDescription(text: string): string {
  const lines = text.split(lineEnd, shownLines + 1);
  const shown = lines.slice(0, shownLines).join('\n');
  return printableLines(shortText(lines.length > shownLines ? `${shown}…` : shown, shownCharacters));
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not in the middle of a surrogate pair.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
