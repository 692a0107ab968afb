import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  findFreePorts,
  killProcessesOf,
  processesOf,
  runTickrate,
  type StandaloneFacts,
  type StandaloneRun,
  startStandalone,
} from './standalone-run.ts';

const parent = mkdtempSync(join(tmpdir(), 'tickrate-gateways-'));
const folder = join(parent, 'data');
let run: StandaloneRun;
let facts: StandaloneFacts;

beforeAll(async () => {
  run = startStandalone(folder, '--port', String(await findFreePorts()), '--gateways', '2');
  await run.ready();
  facts = run.file();
});

afterAll(() => {
  killProcessesOf(parent);
  rmSync(parent, { recursive: true, force: true });
});

test('several gateways and auth processes share their addresses; each reports its metrics', async () => {
  expect(Object.keys(facts.metrics).toSorted()).toEqual(
    ['auth', 'auth-2', 'console', 'demo', 'gateway', 'gateway-2', 'worker'].toSorted(),
  );
  for (const name of ['gateway', 'auth'] as const) {
    const bothAnswered = async () => {
      await request(`${facts[name]}/health/live`);
      return (await requestsOf(name)) > 0 && (await requestsOf(`${name}-2`)) > 0;
    };
    await waitUntil(bothAnswered, { timeoutMs: 10_000, what: `requests to both processes of ${name}` });
  }
});

test('doctor checks each process', async () => {
  const { output } = await runTickrate(folder, 'doctor').exit();
  for (const name of ['gateway-2', 'auth-2', 'worker'])
    expect(output).toMatch(new RegExp(`✓ +${name} process `));
});

// Invariant (Delivery): While one of several gateways is killed and restarted, the others accept every request
test('a killed gateway is restarted, and no request is refused meanwhile', async () => {
  const victim = pidOf('gateway-2');
  process.kill(victim, 'SIGKILL');
  await waitUntil(() => run.output().includes('gateway-2: ended (SIGKILL)'), { timeoutMs: 10_000 });
  let accepted = 0;
  while (!run.output().includes('gateway-2: was restarted')) {
    expect(await insert()).toBe(200);
    accepted++;
  }
  expect(accepted).toBeGreaterThan(0);
  expect(pidOf('gateway-2')).not.toBe(victim);
  await waitUntil(
    async () => {
      expect(await insert()).toBe(200);
      accepted++;
      return (await requestsOf('gateway-2')) > 0;
    },
    { timeoutMs: 10_000, what: 'a request to the restarted gateway' },
  );
  await waitUntil(
    async () => {
      const { output } = await runTickrate(folder, 'status', '--json').exit();
      const { events } = JSON.parse(output);
      return events.accepted === accepted && events.stored === accepted && events.missing === 0;
    },
    { timeoutMs: 20_000, what: `${accepted} stored events` },
  );
});

/** Over a connection of its own, which the system gives to one of the processes. */
function request(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } });
}

async function insert(): Promise<number> {
  const answer = await request(`${facts.gateway}/v1/event/insert?eventType=level_up`, {
    method: 'PUT',
    headers: { 'X-API-Key': facts.keys.public },
    body: JSON.stringify({ level: 1 }),
  });
  await answer.text();
  return answer.status;
}

/** How many requests the process has answered. */
async function requestsOf(name: string): Promise<number> {
  const text = await (await fetch(`${facts.metrics[name]}/metrics`)).text();
  const counts = Array.from(text.matchAll(/^tickrate_http_request_duration_seconds_count\{.*\} (\d+)$/gm));
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function pidOf(name: string): number {
  const { port } = new URL(facts.metrics[name] ?? '');
  const owner = processesOf(folder).find(({ pid }) =>
    readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`METRICS_PORT=${port}`),
  );
  if (owner === undefined) throw new Error(`${name} does not run`);
  return owner.pid;
}
