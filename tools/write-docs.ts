import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeVectors } from '../clients/conformance/vectors/write-vectors.ts';
import { apiPath, describeApi } from '../clients/typescript/api-document.ts';
import { alertRules, alertsPath } from './alert-rules.ts';
import { configurationDocs } from './configuration-docs.ts';
import { grafanaDashboards } from './grafana-dashboards.ts';
import { invariantsPage } from './invariants-docs.ts';
import { recordingPath, recordingRules } from './recording-rules.ts';

for (const [path, text] of await configurationDocs()) {
  writeFileSync(join(import.meta.dirname, '..', path), text);
  console.log(`wrote ${path}`);
}

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'docs/invariants.md'), invariantsPage(root));
console.log('wrote docs/invariants.md');

writeFileSync(join(root, alertsPath), alertRules(root));
writeFileSync(join(root, recordingPath), recordingRules());
console.log(`wrote ${alertsPath} and ${recordingPath}`);

for (const [path, text] of grafanaDashboards()) {
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}

const vectors = join(import.meta.dirname, '../clients/conformance/vectors');
writeVectors(vectors);
execFileSync(join(import.meta.dirname, '../node_modules/.bin/biome'), ['format', '--write', vectors]);
console.log('wrote clients/conformance/vectors');

writeFileSync(apiPath, describeApi());
console.log('wrote clients/typescript/API.md');
