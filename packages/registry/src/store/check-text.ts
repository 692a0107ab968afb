import { parameterInvalid } from '@tickrate/contract';

/** Throws 1003 unless the text has at most so many characters, and only such as Postgres can keep. */
export function checkText(parameter: string, text: string, longest: number): void {
  if (text.length > longest) throw parameterInvalid(parameter, `longer than ${longest} characters`);
  if (text.includes('\0') || !text.isWellFormed()) throw parameterInvalid(parameter, 'not plain text');
}
