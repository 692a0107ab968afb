import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationDocs } from './configuration-docs.ts';

for (const [path, text] of await configurationDocs()) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
  console.log(`wrote ${path}`);
}
