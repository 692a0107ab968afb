import { printable } from '@tickrate/contract';
import { listedText, shownDescription } from '../declaration/reading/listed-text.ts';
import type { Shape } from '../declaration/shape.ts';

/** A text as a literal of generated code: every language has the escapes of JSON. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text));
}

/** The lines of a comment on generated code: the beginning of each given text. */
export function commentLines(texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text) => (text === null ? [] : shownDescription(text).split('\n')));
}

/** The declared name of a member that another name of the code forced to get a number; null if it has none. */
export function renamedText(
  declared: string,
  { usual, called }: Record<'usual' | 'called', string>,
): string | null {
  return usual === called ? null : `Declared as "${declared}".`;
}

/** The allowed values of a member; null if it allows every value of its type. */
export function allowedText(shape: Shape): string | null {
  if (!('allowed' in shape) || shape.allowed === null) return null;
  return `One of: ${listedText(shape.allowed)}`;
}

/** A documentation comment of C#. */
export function xmlSummary(texts: readonly (string | null)[]): string[] {
  const lines = commentLines(texts).map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return lines.length === 0 ? [] : ['/// <summary>', ...lines.map((line) => `/// ${line}`), '/// </summary>'];
}
