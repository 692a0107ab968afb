import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeVectors } from '../clients/conformance/vectors/write-vectors.ts';
import { configurationDocs } from './configuration-docs.ts';

for (const [path, text] of await configurationDocs()) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
  console.log(`wrote ${path}`);
}

writeVectors(join(import.meta.dirname, '../clients/conformance/vectors'));
console.log('wrote clients/conformance/vectors');
