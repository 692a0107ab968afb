import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProgram, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectPanels } from '../tools/dashboard-panels.ts';
import { dashboardQueries } from '../tools/grafana-dashboards.ts';
import { startPrometheus } from './prometheus-run.ts';
import { findFreePorts, type StandaloneRun, startStandalone } from './standalone-run.ts';

const hasPromtool = hasProgram('promtool');
if (!hasPromtool)
  process.stderr.write('SKIPPED: metrics by the conventions of Prometheus (no promtool on the PATH)\n');

const hasPrometheus = hasProgram('prometheus');
if (!hasPrometheus) process.stderr.write('SKIPPED: queries of the dashboards (no prometheus on the PATH)\n');

const parent = mkdtempSync(join(tmpdir(), 'tickrate-metrics-'));
let basePort = 0;
let run: StandaloneRun | undefined;
/** The text of each process. */
const metrics = async () => ({
  worker: await metricsAt(5),
  gateway: await metricsAt(6),
  auth: await metricsAt(7),
  console: await metricsAt(8),
});

async function metricsAt(offset: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${basePort + offset}/metrics`)).text();
}

beforeAll(async () => {
  basePort = await findFreePorts();
  run = startStandalone(join(parent, 'data'), '--port', String(basePort));
  await run.ready();
  const { gateway, auth, keys } = run.file();
  const inserted = await fetch(`${gateway}/v1/event/insert?eventType=level_up`, {
    method: 'PUT',
    headers: { 'X-API-Key': keys.public, 'Content-Type': 'application/json' },
    body: JSON.stringify({ level: 12, character: 'mage' }),
  });
  expect([inserted.status, await inserted.text()]).toEqual([200, 'true']);
  await fetch(`${auth}/.well-known/tickrate`);
  // It has no such type.
  await fetch(`${gateway}/v1/event/insert?eventType=unknown`, {
    method: 'PUT',
    headers: { 'X-API-Key': keys.public, 'Content-Type': 'application/json' },
    body: '{}',
  });
  await waitUntil(async () => /delivery_seconds_count 1$/m.test((await metrics()).worker), {
    timeoutMs: 20_000,
  });
});

afterAll(async () => {
  run?.process.kill('SIGTERM');
  await run?.exit();
  rmSync(parent, { recursive: true, force: true });
});

test('the requests of each route, the delay until events are stored, and the pools are exported', async () => {
  const { gateway, worker } = await metrics();
  const route = 'route="/v1/event/insert",method="PUT",status="200"';
  expect(gateway).toContain(`tickrate_http_request_duration_seconds_count{${route}} 1`);
  expect(gateway).toContain('tickrate_gateway_accept_seconds_count 1\n');
  expect(gateway).toContain('tickrate_postgres_connections{state="used"} ');
  expect(gateway).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(worker).toContain('tickrate_worker_delivery_seconds_bucket{le="5"} 1');
});

test('the console exports the state of the queue and of all events as workers do', async () => {
  const found = await metrics();
  const names = (text: string) =>
    Array.from(text.matchAll(/^tickrate_(?:events|queue|clickhouse)_\w+(?:\{.*\})?/gm), ([name]) => name);
  expect(names(found.console)).toContain('tickrate_queue_oldest_seconds{lane="express",shard="0"}');
  expect(names(found.console)).toEqual(names(found.worker));
});

test.skipIf(!hasPromtool)('all metrics follow the conventions of Prometheus', async () => {
  for (const [name, text] of Object.entries(await metrics())) {
    const found = execFileSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([name, found]).toEqual([name, '']);
  }
});

/** Counters with labels of faults that did not happen. */
const afterFaults = /ALERTS|_faults_total|status[!=]~/;

test('every query of the dashboards names metrics that are exported', async () => {
  const text = Object.values(await metrics()).join('\n');
  const exported = new Set(Array.from(text.matchAll(/^(?:# TYPE )?(\w+)[ {]/gm), ([, name]) => name));
  const named = dashboardQueries().flatMap(
    ([, query]) => query.match(/\b(?:tickrate|nodejs|process)_\w+/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !exported.has(name))).toEqual([]);
});

test.skipIf(!hasPrometheus)(
  'every query finds series with the labels of its legend in a real Prometheus',
  async () => {
    const offsets = Object.entries({ worker: 5, gateway: 6, auth: 7, console: 8 });
    const ports = offsets.map(([name, offset]) => [name, basePort + offset]);
    const prometheus = await startPrometheus(Object.fromEntries(ports));
    const find = async (query: string) => {
      const found = await prometheus.get<{ result: { metric: object }[] }>('query', { query });
      return found.result[0]?.metric ?? null;
    };
    try {
      for (const [legend, expr] of dashboardQueries()) {
        const query = expr.replaceAll('$__rate_interval', '30s');
        const found = async () => (await find(query)) ?? (afterFaults.test(query) ? 'nothing' : null);
        const series = await waitUntil(found, { timeoutMs: 20_000, what: query });
        const labels = Array.from(legend.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label);
        if (series !== 'nothing')
          expect([query, Object.keys(series ?? {})]).toEqual([query, expect.arrayContaining(labels)]);
      }
    } finally {
      await prometheus.stop();
    }
  },
);

test('every query of the dashboard of a project finds rows for a BI user without personal data', async () => {
  if (run === undefined) throw new Error('it does not run');
  const { console, keys, projectId } = run.file();
  const created = await fetch(`${console}/v1/keys`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.administrative, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'administrative', comment: 'Grafana', scopes: ['queries:read'] }),
  });
  const { text } = (await created.json()) as { text: string };
  const authorization = `Basic ${btoa(`${projectId}:${text}`)}`;
  // The macros as the data source writes them.
  const now = Math.floor(Date.now() / 1000);
  const written = (sql: string) =>
    sql
      .replaceAll(
        /\$__timeFilter\((\w+)\)/g,
        `$1 >= toDateTime(${now - 3600}) AND $1 <= toDateTime(${now + 60})`,
      )
      .replaceAll(/\$__timeInterval\((\w+)\)/g, 'toStartOfInterval(toDateTime($1), INTERVAL 20 second)')
      .replaceAll('$__interval_s', '20');
  const ask = async (sql: string) => {
    const headers = { Authorization: authorization, 'Content-Type': 'text/plain' };
    return (await fetch(console, { method: 'POST', headers, body: `${sql} FORMAT JSONEachRow` })).text();
  };
  // The engine that answers queries sees an event some moments after it was stored.
  await waitUntil(async () => (await ask('SELECT type FROM events')) !== '', { what: 'the stored event' });
  for (const { title, sql } of projectPanels)
    expect([title, await ask(written(sql))]).toEqual([title, expect.stringMatching(/^\{"time":.+\}\n$/)]);
});
