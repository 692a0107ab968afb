import { tableLines } from '../command-line/command.ts';

interface Change {
  readonly kind: string;
  readonly pointer: string;
  readonly message: string;
}

/** The changes between two versions of a declaration, one line each. */
export function changeLines(changes: readonly Change[]): string[] {
  return tableLines(changes.map(({ kind, pointer, message }) => [` ${kind}`, pointer || '/', message]));
}
