import { parameterInvalid } from '@tickrate/contract';

/**
 * Throws 1003 for a text with U+0000, which PostgreSQL keeps in no text: not of an object, and not in the audit trail.
 * Members named in `anyText` are not checked.
 */
export function checkPlainText(value: unknown, anyText: readonly string[] = [], place = ''): void {
  if (typeof value === 'string' && value.includes('\0'))
    throw parameterInvalid(place || 'body', 'not plain text');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name.includes('\0')) throw parameterInvalid(place || 'body', 'not plain text');
    if (!anyText.includes(name)) checkPlainText(member, anyText, place === '' ? name : `${place}.${name}`);
  }
}
