import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProgram } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { alertRules, alertsPath } from './alert-rules.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, alertsPath), 'utf8');
const {
  groups,
}: { groups: [{ rules: { alert: string; annotations: { summary: string; steps: string } }[] }] } =
  parse(text);
const hasPromtool = hasProgram('promtool');
if (!hasPromtool) process.stderr.write('SKIPPED: rules of Prometheus (no promtool on the PATH)\n');

test('the rules are those of docs/operations.md: npm run docs writes them', () => {
  expect(text).toBe(alertRules(root));
});

test('each alarm of docs/operations.md is a rule, and links to its steps', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const headings = Array.from(
    page.matchAll(/^### (.+ \((?:immediately|soon|next working day)\))$/gm),
    ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w ]/g, '')
        .replaceAll(' ', '-'),
  );
  expect(groups[0].rules.map(({ annotations }) => annotations.steps)).toEqual(
    headings.map((anchor) => `docs/operations.md#${anchor}`),
  );
});

/** A minute of samples before the alarm fires, and after it no more. */
const provoked = [
  { alert: 'NoWorkerReports', series: 'other_metric', values: '1x30', at: '5m' },
  {
    alert: 'TheQueueCannotBeRead',
    series: 'tickrate_queue_bytes',
    values: 'NaN NaN NaN NaN NaN NaN',
    at: '5m',
  },
  { alert: 'TheQueueCannotBeRead', series: 'other_metric', values: '1x30', at: '5m' },
  { alert: 'AProcessIsDown', series: 'up{job="tickrate",process="worker"}', values: '0x30', at: '10m' },
  { alert: 'EventsAreMissing', series: 'tickrate_events_missing', values: '0 0 3x30', at: '6m' },
  {
    alert: 'ATableOrColumnIsMissing',
    series: 'tickrate_worker_schema_faults_total',
    values: '0+1x30',
    at: '6m',
  },
  { alert: 'TheQueueFillsUp', series: 'tickrate_queue_oldest_seconds', values: '300x30', at: '10m' },
  { alert: 'ADiskOfTheStoresIsNearlyFull', series: 'tickrate_gateway_store_room', values: '0x30', at: '5m' },
  {
    alert: 'RowsAreRefused',
    series: 'tickrate_worker_events_total{end="dead"}',
    values: '0+1x90',
    at: '60m',
  },
];

test.skipIf(!hasPromtool)('Prometheus accepts the rules, and nine faults make theirs fire', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(root, alertsPath);
  execFileSync('promtool', ['check', 'rules', file]);
  const tests = provoked.map(({ alert, series, values, at }) => ({
    name: alert,
    interval: '1m',
    input_series: [{ series, values }],
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
        eval_time: at,
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  }));
  writeFileSync(
    join(folder, 'tests.yml'),
    stringify({ rule_files: [file], evaluation_interval: '1m', tests }),
  );
  execFileSync('promtool', ['test', 'rules', join(folder, 'tests.yml')], { encoding: 'utf8' });
});
