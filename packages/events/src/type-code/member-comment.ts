import { printable } from '@tickrate/contract';
import { listedText, shownDescription } from '../declaration/reading/listed-text.ts';
import type { Member } from '../declaration/shape.ts';

/** A text as a literal of generated code: every language has the escapes of JSON. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/** The lines of a comment on generated code: the beginning of each given text. */
export function commentLines(texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text) => (text === null ? [] : shownDescription(text).split('\n')));
}

/** What a comment on a member says: its description, its values unless it allows any, and its declared name if the code has another. */
export function memberTexts(
  { name, shape }: Member,
  { usual, called }: Record<'usual' | 'called', string>,
): (string | null)[] {
  const { description, title } = shape.annotations;
  const isListed = 'allowed' in shape && shape.allowed !== null;
  return [
    description ?? title,
    isListed ? `One of: ${listedText(shape.allowed)}` : null,
    // The usual name was taken.
    usual === called ? null : `Declared as "${name}".`,
  ];
}

/** A documentation comment of C#. */
export function xmlSummary(texts: readonly (string | null)[]): string[] {
  const lines = commentLines(texts).map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return lines.length === 0 ? [] : ['/// <summary>', ...lines.map((line) => `/// ${line}`), '/// </summary>'];
}
