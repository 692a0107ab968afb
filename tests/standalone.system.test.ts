import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCurlCalls } from './curl-lines.ts';
import {
  findFreePorts,
  killProcessesOf,
  processesOf,
  runTickrate,
  type StandaloneFacts,
  type StandaloneRun,
  startStandalone,
  startStandaloneWith,
} from './standalone-run.ts';

// One data folder, started several times in order: each test continues where the previous one ended.
const parent = mkdtempSync(join(tmpdir(), 'tickrate-standalone-'));
const folder = join(parent, 'data');
let basePort = 0;
let run: StandaloneRun;
let facts: StandaloneFacts;
let accepted = 0;
/** The key of a session that has ended. */
let ended = '';

beforeAll(async () => {
  basePort = await findFreePorts();
  run = startStandalone(folder, '--port', String(basePort));
  await run.ready();
  facts = run.file();
});

afterAll(() => {
  killProcessesOf(parent);
  rmSync(parent, { recursive: true, force: true });
});

// Invariant (Delivery): Data survives killing every process
// Invariant (HTTP): A startup prints no secret that lasts: a sign-in link works once, within ten minutes
describe('the first start', () => {
  test('prints its steps in plain lines without a terminal', () => {
    expect(run.output()).not.toContain('\u001b');
    for (const name of ['PostgreSQL', 'ClickHouse', 'Gateway', 'Auth', 'Worker', 'Console']) {
      expect(run.output()).toMatch(new RegExp(`^ ✓ ${name} +\\d+\\.\\d s`, 'm'));
    }
    expect(run.output()).toContain('Ctrl-C');
  });

  test('writes down addresses and keys for its owner alone', () => {
    expect(statSync(join(folder, 'standalone.json')).mode & 0o777).toBe(0o600);
    expect(facts).toEqual({
      gateway: `http://127.0.0.1:${basePort}`,
      auth: `http://127.0.0.1:${basePort + 1}`,
      console: `http://127.0.0.1:${basePort + 2}`,
      clickhouse: expect.stringMatching(new RegExp(`^http://tickrate:\\w+@127.0.0.1:${basePort + 3}$`)),
      postgres: expect.stringMatching(
        new RegExp(`^postgres://tickrate:\\w+@127.0.0.1:${basePort + 4}/tickrate$`),
      ),
      metrics: expect.objectContaining({
        gateway: `http://127.0.0.1:${basePort + 6}`,
        worker: `http://127.0.0.1:${basePort + 5}`,
      }),
      projectId: expect.stringMatching(/^p-/),
      keys: { public: expect.stringMatching(/^tk_pub_/), administrative: expect.stringMatching(/^tk_adm_/) },
      admin: { email: expect.stringContaining('@'), password: expect.stringMatching(/^\w{48}$/) },
    });
    expect(run.output()).not.toContain(facts.keys.administrative);
    expect(run.output()).not.toContain(facts.admin.password);
    expect(run.output()).not.toContain(new URL(facts.clickhouse).password);
  });

  test('puts no secret on a command line', () => {
    const password = new URL(facts.postgres).password;
    const lines = processesOf(parent).map(({ commandLine }) => commandLine);
    expect(lines.length).toBeGreaterThanOrEqual(6);
    expect(lines.filter((line) => line.includes(password) || line.includes('tk_'))).toEqual([]);
  });

  test('prints a line that inserts an event, and one that finds it', async () => {
    const printed = run.output().replaceAll(/ \\\n\s+/g, ' ');
    const insert = /curl -X PUT '(.+)' -H '(.+): (.+)' -H '(.+): (.+)' -d '(.+)'/.exec(printed) ?? [];
    const [, url = '', key = '', keyText = '', type = '', typeText = '', body = ''] = insert;
    const headers = { [key]: keyText, [type]: typeText };
    const answer = await fetch(url, { method: 'PUT', headers, body });
    expect([answer.status, await answer.json()]).toEqual([200, true]);
    accepted = 1;

    const [, data, sql = ''] = /tickrate -- query --data '(.+?)' '(.+)'/.exec(printed) ?? [];
    expect(data).toBe(folder);
    // Level 12, once.
    const found = async () => /\b12\b\D+\b1\b/.test((await runTickrate(folder, 'query', sql).exit()).output);
    await waitUntil(found, { timeoutMs: 10_000 });
  });

  test.each(['gateway', 'auth', 'console'] as const)('has a healthy %s with metrics apart', async (name) => {
    const health = await fetch(`${facts[name]}/health/ready`);
    expect([health.status, await health.json()]).toEqual([200, { ready: true }]);
    expect((await fetch(`${facts[name]}/metrics`)).status).toBe(404);
    const operator = Object.assign(new URL(facts[name]), {
      port: String(Number(new URL(facts[name]).port) + 6),
    });
    const found = await fetch(new URL('/health/ready', operator));
    expect([found.status, await found.json()]).toMatchObject([
      200,
      { ready: true, checks: { process: null } },
    ]);
    const metrics = await (await fetch(new URL('/metrics', operator))).text();
    expect(metrics).toContain('tickrate_http_request_duration_seconds');
  });

  test('signs its administrator in, to the first project; unknown versions learn the known one', async () => {
    const { email, password } = facts.admin;
    const asked = { emailAddress: email, password, requestedRole: 'builtin:admin', promptForProject: true };
    expect(await signIn(asked)).toMatchObject({
      authenticatedSession: { projectId: facts.projectId, role: 'builtin:admin', amr: ['pwd'] },
      createdProject: null,
    });
    const unknown = await fetch(`${facts.auth}/2030-01-01/authenticate`, { method: 'PUT' });
    expect(await unknown.json()).toMatchObject({ code: 1006, data: { knownVersions: ['2018-03-24', 'v1'] } });
  });

  test('is managed with the commands of docs/management.md', async () => {
    const calls = readCurlCalls('docs/management.md', {
      CONSOLE: facts.console,
      KEY: facts.keys.administrative,
    });
    expect(calls.length).toBeGreaterThan(10);
    for (const { method, url, headers, body } of calls) {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
      expect([url, answer.status, await answer.text()]).toEqual([url, 200, expect.any(String)]);
    }
  });

  test('is managed by the session of its administrator, and not by that of a player', async () => {
    const { email, password } = facts.admin;
    const asked = { emailAddress: email, password, requestedRole: 'builtin:admin', promptForProject: true };
    const keyOf = async (request: object) => {
      const answer = (await signIn(request)) as { authenticatedSession: { apiKey: string } };
      return answer.authenticatedSession.apiKey;
    };
    const listKeys = async (key: string) =>
      (await fetch(`${facts.console}/v1/keys`, { headers: { 'X-API-Key': key } })).json();
    expect(await listKeys(await keyOf(asked))).toMatchObject({ results: expect.any(Array), next: null });
    const player = await keyOf({ tokens: { deviceTestTokens: [{ deviceId: 'one' }] } });
    expect(await listKeys(player)).toMatchObject({
      code: 2003,
      data: { expectedSessionType: 'administrative' },
    });
  });

  test('can be asked what is declared and where the events are', async () => {
    const list = await runTickrate(folder, 'event-types', 'list', '--json').exit();
    const names = JSON.parse(list.output).eventTypes.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['level_up', 'match_finished', 'purchase', 'session_start']);
    await waitUntil(
      async () => {
        const { output } = await runTickrate(folder, 'status', '--json').exit();
        const { events } = JSON.parse(output);
        return events.accepted === 1 && events.stored === 1 && events.missing === 0;
      },
      { timeoutMs: 10_000 },
    );
  });
});

describe('a start that cannot be', () => {
  test('names the process that has the data', async () => {
    const second = startStandalone(folder, '--port', String(await findFreePorts()));
    const { code, output } = await second.exit();
    expect(code).toBe(69);
    expect(output).toMatch(new RegExp(`^✗ .* in use by process ${run.process.pid}\\. .*--data.*\n$`));
  });

  test('names the port that is taken', async () => {
    const server = createServer();
    const port = await findFreePorts();
    server.listen(port + 1, '127.0.0.1');
    const { code, output } = await startStandalone(join(parent, 'other'), '--port', String(port)).exit();
    server.close();
    expect(code).toBe(69);
    expect(output).toMatch(new RegExp(`^✗ Port ${port + 1} on 127.0.0.1 is taken\\. .*--port N.*\n$`));
  });

  test('names the file that stands where its folder should be', async () => {
    writeFileSync(join(parent, 'file'), '');
    const { code, output } = await startStandalone(join(parent, 'file', 'data')).exit();
    expect(code).toBe(69);
    expect(output).toMatch(/^✗ .*file\/data is a file, or is below one\. Name a folder with --data DIR\.\n$/);
  });

  test('deletes nothing that it did not make', async () => {
    const { code, output } = await startStandalone(parent, '--fresh').exit();
    expect(code).toBe(69);
    expect(output).toMatch(/^✗ The folder .* did not put there.*\n$/);
    expect(statSync(join(folder, 'standalone.json')).size).toBeGreaterThan(0);
  });

  test('explains its options', async () => {
    const wrong = await startStandalone(folder, '--prot', '1').exit();
    expect([wrong.code, wrong.output]).toEqual([78, expect.stringContaining('--prot is unknown')]);
    const help = await startStandalone(folder, '--help').exit();
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('--fresh')]);
  });
});

describe('an instance', () => {
  test('takes events of a session as its account, also after its end', async () => {
    const device = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
    const { authenticatedSession: session } = await signIn(device);
    ended = session.apiKey;
    await insert(1, ended);
    const sql = `SELECT count() FROM tickrate.events WHERE account_id = '${session.accountId}' AND session_id = '${session.id}'`;
    await waitUntil(async () => (await query(facts.clickhouse, sql)).trim() === '1', { timeoutMs: 10_000 });
    await fetch(`${facts.auth}/2018-03-24/session`, { method: 'DELETE', headers: { 'X-API-Key': ended } });
    await waitUntil(isEndKnown, { what: 'the end of the session' });
    await insert(1, ended);
    await waitUntil(async () => (await query(facts.clickhouse, sql)).trim() === '2', { timeoutMs: 10_000 });
  });

  test('brings back what is killed, one or all at once, and loses nothing', async () => {
    await insert(3);
    kill('apps/gateway/');
    await waitUntil(() => run.output().includes('gateway: was restarted'), { timeoutMs: 20_000 });
    await storedIsAccepted();
    kill('apps/', 'clickhouse', 'postgres -D');
    await insert(3);
    await storedIsAccepted();
  });

  test('stops all in time at a Ctrl-C and leaves no process', async () => {
    run.process.kill('SIGINT');
    // Of a stop that took too long, the code is another one.
    expect((await run.exit()).code).toBe(0);
    expect(processesOf(parent)).toEqual([]);
  });

  test('keeps project, keys and events over a restart', async () => {
    run = startAgain();
    await run.ready();
    expect(run.file()).toEqual(facts);
    await storedIsAccepted();
    await insert(3);
  });

  test('starts again after its supervisor was killed, with everything that was accepted', async () => {
    run.process.kill('SIGKILL');
    await run.exit();
    run = startAgain();
    await run.ready();
    expect(run.file()).toEqual(facts);
    await storedIsAccepted();
    expect(await isEndKnown()).toBe(true);
  });

  test('replaces a saved key after its rotation', async () => {
    const keys = `${facts.console}/v1/keys`;
    const headers = { 'X-API-Key': facts.keys.administrative, 'Content-Type': 'application/json' };
    const listed = (await (await fetch(keys, { headers })).json()) as {
      readonly results: readonly { readonly id: string; readonly ending: string }[];
    };
    const saved = listed.results.find(({ ending }) => facts.keys.public.endsWith(ending));
    const body = JSON.stringify({ overlapSeconds: 3_600 });
    const rotated = await fetch(`${keys}/${saved?.id}/rotate`, { method: 'POST', headers, body });
    expect(rotated.status).toBe(200);
    run.process.kill('SIGTERM');
    await run.exit();
    run = startAgain();
    await run.ready();
    expect(run.file().keys.administrative).toBe(facts.keys.administrative);
    expect(run.file().keys.public).not.toBe(facts.keys.public);
    await insert(1, run.file().keys.public);
  });

  test('prints five links through the demo with --demo, which the key of another project does not see', async () => {
    run.process.kill('SIGTERM');
    await run.exit();
    run = startStandalone(folder, '--port', String(basePort), '--demo');
    await run.ready();
    const tour = () => run.output().split('A tour:')[1] ?? '';
    const links = () => tour().match(/http:\/\/127\.0\.0\.1:\d+\/p\/p-[a-z0-9]{12}\/\S+/g) ?? [];
    await waitUntil(() => links().length === 5, { timeoutMs: 60_000, what: 'the tour' });
    expect(new Set(links().map((link) => link.split('/')[4])).size).toBe(1);
    expect(links().join(' ')).not.toContain(facts.projectId);
    const headers = { 'X-API-Key': facts.keys.administrative };
    const demo = await (await fetch(`${facts.console}/v1/demo`, { headers })).json();
    expect(demo).toMatchObject({ projectId: null, tour: [] });
    run.process.kill('SIGTERM');
    expect((await run.exit()).code).toBe(0);
    expect(processesOf(parent)).toEqual([]);
  });
});

/** Soon takes over what a killed worker had begun. */
function startAgain(): StandaloneRun {
  return startStandaloneWith({ WORKER_LOCK: '3s' }, folder, '--port', String(basePort));
}

/** The members of a sign-in answer that the tests read. */
interface SignedIn {
  readonly authenticatedSession: Readonly<Record<'id' | 'accountId' | 'apiKey', string>>;
}

async function signIn(body: object): Promise<SignedIn> {
  const headers = { 'X-API-Key': facts.keys.public, 'Content-Type': 'application/json' };
  const answer = await fetch(`${facts.auth}/2018-03-24/authenticate`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  });
  return (await answer.json()) as SignedIn;
}

async function isEndKnown(): Promise<boolean> {
  const answer = await fetch(`${facts.auth}/2018-03-24/session`, { headers: { 'X-API-Key': ended } });
  return answer.status === 401;
}

/** Inserts events and retries each until it is accepted. Refusals do not count. */
async function insert(count: number, key = facts.keys.public): Promise<void> {
  for (let at = 0; at < count; at++) {
    const idempotencyKey = `event-${accepted}`;
    await waitUntil(
      async () => {
        const answer = await fetch(`${facts.gateway}/v1/event/insert?eventType=level_up`, {
          method: 'PUT',
          headers: { 'X-API-Key': key, 'Idempotency-Key': idempotencyKey },
          body: JSON.stringify({ level: 1 }),
        });
        return answer.status === 200;
      },
      { timeoutMs: 30_000, intervalMs: 100 },
    );
    accepted++;
  }
}

async function storedIsAccepted(): Promise<void> {
  const view = `project_${facts.projectId.replaceAll('-', '_')}.level_up`;
  await waitUntil(
    async () => Number(await query(facts.clickhouse, `SELECT count() FROM ${view}`)) === accepted,
    { timeoutMs: 60_000, intervalMs: 100, what: `${accepted} stored events` },
  );
}

async function query(address: string, sql: string): Promise<string> {
  const { username, password, origin } = new URL(address);
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  return (await fetch(origin, { method: 'POST', headers, body: sql })).text();
}

/** Kills the processes with one of these words in their command line; never the supervisor. */
function kill(...marks: readonly string[]): void {
  const victims = processesOf(folder).filter(
    ({ pid, commandLine }) => pid !== run.process.pid && marks.some((mark) => commandLine.includes(mark)),
  );
  expect(victims.length).toBeGreaterThanOrEqual(marks.length);
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
}
