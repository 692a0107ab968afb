import { parameterInvalid } from '@tickrate/contract';

/** Throws 1003 if the text exceeds `longest` characters, or contains characters that Postgres cannot store. */
export function checkText(parameter: string, text: string, longest: number): void {
  if (text.length > longest) throw parameterInvalid(parameter, `longer than ${longest} characters`);
  if (text.includes('\0') || !text.isWellFormed()) throw parameterInvalid(parameter, 'not plain text');
}
