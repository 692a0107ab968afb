import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProgram } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { alertRules, alertsPath } from './alert-rules.ts';
import { recordingPath, recordingRules } from './recording-rules.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, alertsPath), 'utf8');
interface Rule {
  readonly labels: { readonly urgency: string };
  readonly annotations: { readonly steps: string };
}
const { groups }: { groups: [{ rules: Rule[] }] } = parse(text);
const hasPromtool = hasProgram('promtool');
const hasAmtool = hasProgram('amtool');
if (!hasPromtool) process.stderr.write('SKIPPED: rules of Prometheus (no promtool on the PATH)\n');
if (!hasAmtool) process.stderr.write('SKIPPED: routes of Alertmanager (no amtool on the PATH)\n');

test('the rules are those of docs/operations.md: npm run docs writes them', () => {
  expect(text).toBe(alertRules(root));
  expect(readFileSync(join(root, recordingPath), 'utf8')).toBe(recordingRules());
});

test('alarms use recorded series that are recorded', () => {
  const recorded = Array.from(recordingRules().matchAll(/record: (\S+)/g), ([, name]) => name);
  const used = Array.from(text.matchAll(/tickrate:\w+:\w+/g), ([name]) => name);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((name) => !recorded.includes(name))).toEqual([]);
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

const accepted = (inTime: string, all: string) => ({
  'tickrate_gateway_accept_seconds_bucket{le="0.5"}': inTime,
  tickrate_gateway_accept_seconds_count: all,
});
const refused =
  'tickrate_http_request_duration_seconds_count{route="/v1/event/insert",method="POST",status="503"}';
const stored = (inTime: string, all: string) => ({
  'tickrate_worker_delivery_seconds_bucket{le="5"}': inTime,
  tickrate_worker_delivery_seconds_count: all,
});
const acceptsFail = 'AcceptingEventsFailsFast';

/** Samples of each minute, and when the alarm has fired. Null is never, within these samples. */
const cases: { alert: string; series: Readonly<Record<string, string>>; at: string | null }[] = [
  { alert: 'NoWorkerReports', series: { other_metric: '1x30' }, at: '5m' },
  { alert: 'TheQueueCannotBeRead', series: { tickrate_queue_bytes: 'NaN NaN NaN NaN NaN NaN' }, at: '5m' },
  { alert: 'TheQueueCannotBeRead', series: { other_metric: '1x30' }, at: '5m' },
  {
    alert: 'ClickHouseDoesNotAnswer',
    series: { tickrate_clickhouse_parts: 'NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN' },
    at: '10m',
  },
  { alert: 'AProcessIsDown', series: { 'up{job="tickrate",process="worker"}': '0x30' }, at: '10m' },
  { alert: 'EventsAreMissing', series: { tickrate_events_missing: '0 0 3x30' }, at: '6m' },
  { alert: 'ATableOrColumnIsMissing', series: { tickrate_worker_schema_faults_total: '0+1x30' }, at: '6m' },
  { alert: 'TheQueueFillsUp', series: { tickrate_queue_oldest_seconds: '300x30' }, at: '10m' },
  { alert: 'ADiskOfTheStoresIsNearlyFull', series: { tickrate_gateway_store_room: '0x30' }, at: '5m' },
  { alert: 'RowsAreRefused', series: { 'tickrate_worker_events_total{end="dead"}': '0+1x90' }, at: '60m' },
  // Two of a hundred requests are slow, or refused, or all are refused.
  { alert: acceptsFail, series: accepted('0+98x90', '0+100x90'), at: '60m' },
  { alert: acceptsFail, series: { ...accepted('0+98x90', '0+98x90'), [refused]: '0+2x90' }, at: '60m' },
  { alert: acceptsFail, series: { ...accepted('0x90', '0x90'), [refused]: '0+2x90' }, at: '60m' },
  // Four of ten thousand are slow; two of a hundred were until half an hour ago; nobody sends.
  { alert: acceptsFail, series: accepted('0+9996x90', '0+10000x90'), at: null },
  { alert: acceptsFail, series: accepted('0+98x60 5980+100x30', '0+100x90'), at: null },
  { alert: acceptsFail, series: accepted('5x90', '5x90'), at: null },
  // Half of 12 requests an hour are slow; half of 60 events an hour are late.
  { alert: acceptsFail, series: accepted('0+0.1x90', '0+0.2x90'), at: null },
  { alert: 'EventsBecomeVisibleTooLate', series: stored('0+0.5x90', '0+1x90'), at: null },
  { alert: 'AcceptingEventsFailsSlowly', series: accepted('0+998x90', '0+1000x90'), at: '60m' },
  { alert: 'EventsBecomeVisibleTooLate', series: stored('0+80x90', '0+100x90'), at: '60m' },
  { alert: 'EventsBecomeVisibleTooLate', series: stored('0+99x90', '0+100x90'), at: null },
  { alert: 'EventsBecomeVisibleLateForDays', series: stored('0+97x90', '0+100x90'), at: '60m' },
];

test.skipIf(!hasPromtool)('Prometheus accepts its configuration', () => {
  execFileSync('promtool', ['check', 'config', join(root, 'deploy/prometheus/prometheus.yml')]);
});

test.skipIf(!hasAmtool)('Alertmanager accepts its configuration, and has a receiver for each urgency', () => {
  const file = join(root, 'deploy/alertmanager/alertmanager.yml');
  execFileSync('amtool', ['check-config', file]);
  for (const urgency of new Set(groups[0].rules.map(({ labels }) => labels.urgency))) {
    const routing = ['config', 'routes', 'test', `--config.file=${file}`, `urgency=${urgency}`];
    const receiver = execFileSync('amtool', routing, { encoding: 'utf8', stdio: 'pipe' }).trim();
    expect(receiver).toBe(urgency.replaceAll(' ', '-'));
  }
});

test.skipIf(!hasPromtool)('Prometheus accepts the rules, and each fault makes its alarm fire', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = [recordingPath, alertsPath].map((path) => join(root, path));
  execFileSync('promtool', ['check', 'rules', '--lint-fatal', ...files]);
  // An hour needs no evaluation of all rules in each minute.
  const written = ['1m', '5m'].map((interval) => {
    const isLong = interval === '5m';
    const tests = cases
      .filter(({ at }) => isLong === (at === null || at === '60m'))
      .map(({ alert, series, at }) => ({
        name: alert,
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: at ?? '90m',
            exp_samples: at === null ? [] : [{ labels: '{}', value: 1 }],
          },
        ],
      }));
    const path = join(folder, `${interval}.yml`);
    writeFileSync(path, stringify({ rule_files: files, evaluation_interval: interval, tests }));
    return path;
  });
  execFileSync('promtool', ['test', 'rules', ...written], { encoding: 'utf8' });
});
