import { setImmediate } from 'node:timers/promises';
import { type CompiledDeclaration, readAcceptedDeclaration, type StoredColumn } from '@tickrate/events';
import type { EventTypeVersionRecord } from '@tickrate/registry';

/** Compiles a stored version. It was accepted before, and so must be accepted now. */
export function compiled({ declaration, version }: EventTypeVersionRecord): CompiledDeclaration {
  const result = readAcceptedDeclaration(declaration);
  if (!result.ok) throw new Error(`Version ${version} is no longer accepted`);
  return result.declaration;
}

/** The columns of many versions. It yields between them. */
export async function columnsOf(versions: readonly EventTypeVersionRecord[]): Promise<StoredColumn[]> {
  const columns: StoredColumn[] = [];
  for (const version of versions) {
    columns.push(...compiled(version).columns);
    await setImmediate();
  }
  return columns;
}
