import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboardQueries, dashboardsFolder, grafanaDashboards } from './grafana-dashboards.ts';
import { recordingRules } from './recording-rules.ts';

const root = join(import.meta.dirname, '..');

test('the dashboards are those that npm run docs writes', () => {
  const generated = grafanaDashboards();
  for (const [path, text] of generated) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  const files = readdirSync(join(root, dashboardsFolder)).map((name) => `${dashboardsFolder}/${name}`);
  expect([...files, 'deploy/grafana/project.json'].toSorted()).toEqual([...generated.keys()].toSorted());
});

test('the dashboards use recorded series that are recorded', () => {
  const used = dashboardQueries().flatMap(([, query]) => query.match(/tickrate:\w+:\w+/g) ?? []);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((name) => !recordingRules().includes(`record: ${name}\n`))).toEqual([]);
});
