import { type CompiledDeclaration, readAcceptedDeclaration } from '@tickrate/events';
import { RecentMap } from '@tickrate/platform';
import type { StoredDeclarationCompiler } from './event-type.ts';

/** Compiles each document once, however many versions, types, projects and reloads share it. */
export function createStoredDeclarationCompiler(capacity = 5_000): StoredDeclarationCompiler {
  const compiled = new RecentMap<string, CompiledDeclaration>(capacity);
  return (fingerprint, read) => {
    const known = compiled.get(fingerprint);
    if (known) return known;
    const result = readAcceptedDeclaration(read());
    if (!result.ok) {
      throw new Error(`A stored declaration is not accepted any more: ${JSON.stringify(result.faults)}`);
    }
    compiled.set(fingerprint, result.declaration);
    return result.declaration;
  };
}
