import { type CompiledDeclaration, readAcceptedDeclaration } from '@tickrate/events';
import { RecentMap } from '@tickrate/platform';
import type { StoredDeclarationCompiler } from './event-type.ts';

const mebibyte = 1024 * 1024;

/**
 * Compiles each document once and shares it between versions, types, projects and reloads. Drops the least recently
 * used ones above the limit.
 */
export function createStoredDeclarationCompiler(mostBytes = 256 * mebibyte): StoredDeclarationCompiler {
  const compiled = new RecentMap<string, CompiledDeclaration>(mostBytes, (declaration) =>
    declaration.bytes(),
  );
  return (fingerprint, read) => {
    const known = compiled.get(fingerprint);
    if (known) return known;
    const result = readAcceptedDeclaration(read());
    if (!result.ok) {
      throw new Error(`A stored declaration is no longer accepted: ${JSON.stringify(result.faults)}`);
    }
    compiled.set(fingerprint, result.declaration);
    return result.declaration;
  };
}
