import { parameterInvalid, reorderingFault } from '@tickrate/contract';

/** Throws 1003 if the text exceeds `longest` characters, or cannot be stored by Postgres, or shows other words than it contains. */
export function checkText(parameter: string, text: string, longest: number): void {
  if (text.length > longest) throw parameterInvalid(parameter, `longer than ${longest} characters`);
  const fault = reorderingFault(text);
  if (fault !== null) throw parameterInvalid(parameter, fault);
  if (text.includes('\0') || !text.isWellFormed()) throw parameterInvalid(parameter, 'not plain text');
}
