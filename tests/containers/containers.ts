import { execFile, execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
import { findFreePort, waitUntil } from '@tickrate/testkit';
import { chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const engine = findEngine();
if (engine === null)
  process.stderr.write('SKIPPED: containers (no Docker engine with compose answers here)\n');

/** The words before `up`, for the engine that answers here: `docker compose`, or `docker-compose`. */
function findEngine(): readonly string[] | null {
  for (const words of [['docker', 'compose'], ['docker-compose']]) {
    const [program = '', ...rest] = words;
    try {
      execFileSync('docker', ['info'], { stdio: 'ignore' });
      execFileSync(program, [...rest, 'version'], { stdio: 'ignore' });
      return words;
    } catch {
      // The next one, or none.
    }
  }
  return null;
}

const isLocal = process.env['TEST_IMAGES_FROM'] === 'local';
const folder = mkdtempSync(join(tmpdir(), 'tickrate-containers-'));
const project = `tickrate-test-${process.pid}`;
const admin = { email: 'owner@example.com', password: randomBytes(12).toString('hex') };
const sent: string[] = [];
let site = '';
let port = 0;
let authority = '';
let keys = { public: '', administrative: '' };

beforeAll(async () => {
  if (engine === null) return;
  if (isLocal) await run('bash', [join(import.meta.dirname, 'make-local-images.sh')], { maxBuffer: 2 ** 26 });
  port = await findFreePort();
  site = `https://localhost:${port}`;
  const settings = {
    TICKRATE_IMAGE: `${project}:first`,
    HTTPS_PORT: port,
    HTTP_PORT: await findFreePort(),
    SUBNET: '172.30.99.0/24',
    EVENTS_URL: site,
    SESSIONS_URL: site,
    CONSOLE_URL: site,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    STORE_CLIENT_ADDRESS: 'prefix',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''));
  const network = isLocal ? ['--network', 'host'] : [];
  await run('docker', ['build', ...network, '--tag', `${project}:first`, root], { maxBuffer: 2 ** 26 });
  const image = ['run', '--rm', `${project}:first`, 'apps/cli/src/main.ts', 'secrets', 'create'];
  const { stdout: secrets } = await run('docker', image);
  writeFileSync(join(folder, '.env'), `${secrets}${lines.join('')}`);
  await compose('up', '--wait');
});

afterAll(async () => {
  if (engine === null) return;
  await compose('down', '--volumes', '--timeout', '5').catch(() => undefined);
  for (const name of ['first', 'second'])
    await run('docker', ['rmi', `${project}:${name}`]).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs docker-compose.yml in a folder with a `.env` of its own. */
async function compose(...words: string[]): Promise<string> {
  const [program = '', ...rest] = engine ?? [];
  const files = ['docker-compose.yml', ...(isLocal ? ['tests/containers/local-images.yml'] : [])];
  const named = files.flatMap((file) => ['--file', join(root, file)]);
  const chosen = ['--project-name', project, '--env-file', join(folder, '.env'), ...named];
  const env = { ...process.env, REPOSITORY: root };
  const { stdout } = await run(program, [...rest, ...chosen, ...words], { env, maxBuffer: 2 ** 26 });
  return stdout;
}

interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the answer after its first bytes that match. */
  readonly until?: RegExp;
}

function call(
  path: string,
  { method = 'GET', key, body, headers, until }: Call = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sending = request(`${site}${path}`, { method, ca: authority, agent: false }, (answer) => {
      let text = '';
      const finish = () => resolve({ status: answer.statusCode ?? 0, text });
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (until?.test(text) !== true) return;
        finish();
        sending.destroy();
      });
      answer.once('end', finish);
    });
    sending.once('error', reject);
    if (key !== undefined) sending.setHeader('X-API-Key', key);
    if (body !== undefined) sending.setHeader('Content-Type', 'application/json');
    for (const [name, value] of Object.entries(headers ?? {})) sending.setHeader(name, value);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function send(): Promise<number> {
  const eventId = randomUUID();
  const { status } = await call('/v1/event/multiInsert', {
    method: 'PUT',
    key: keys.public,
    body: [{ eventType: 'level_up', eventId, event: { level: 7 } }],
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  });
  if (status === 200) sent.push(eventId);
  return status;
}

async function query(sql: string): Promise<unknown[]> {
  const { status, text } = await call('/v1/query', {
    method: 'POST',
    key: keys.administrative,
    body: { sql },
  });
  if (status !== 200) return [];
  const { data }: { data: unknown[] } = JSON.parse(text);
  return data;
}

/** Waits until each accepted event is stored, and sees none stored twice. One whose answer was lost may be there too. */
async function expectStored(): Promise<void> {
  const ids = sent.map((id) => `'${id}'`).join(',');
  const sql = `SELECT uniqExactIf(event_id, toString(event_id) IN (${ids})) AS stored, count() - uniqExact(event_id) AS doubled FROM events`;
  await waitUntil(
    async () => {
      const [counts] = await query(sql);
      return JSON.stringify(counts) === JSON.stringify({ stored: String(sent.length), doubled: '0' });
    },
    { timeoutMs: 120_000, what: `${sent.length} stored events` },
  );
}

describe.skipIf(engine === null)('a new installation', () => {
  test('creates the first project, and serves its API by TLS of its own authority', async () => {
    const certificate = join(folder, 'root.crt');
    await compose('cp', 'proxy:/data/caddy/pki/authorities/local/root.crt', certificate);
    authority = readFileSync(certificate, 'utf8');
    const created = await compose(
      'run',
      '--rm',
      '-T',
      'migrate',
      'apps/cli/src/main.ts',
      'first-project',
      'My game',
    );
    const keyOf = (kind: string) => new RegExp(`tk_${kind}_\\w+`).exec(created)?.[0] ?? '';
    keys = { public: keyOf('pub'), administrative: keyOf('adm') };
    const { text } = await call('/.well-known/tickrate');
    expect(JSON.parse(text)).toMatchObject({ events: site, sessions: site });
  });

  test('stores an event, whose address no header of the client can name', async () => {
    const declaration = { type: 'object', required: ['level'], properties: { level: { type: 'integer' } } };
    const declaring = { method: 'POST', key: keys.administrative, body: { declaration } };
    expect(await call('/v1/event-types/level_up/versions', declaring)).toMatchObject({ status: 200 });
    await waitUntil(async () => (await send()) === 200, { what: 'the declaration at the gateway' });
    await expectStored();
    const [row] = await query('SELECT toString(client_address) AS address FROM level_up LIMIT 1');
    expect(row).toEqual({ address: expect.stringContaining('172.30.99.') });
  });

  test('passes live events while they come', async () => {
    const live = call('/v1/live?seconds=60', { key: keys.administrative, until: /event: events/ });
    await send();
    expect(await live).toMatchObject({ status: 200, text: expect.stringContaining('level_up') });
  });

  test('signs an administrator in to the console in a browser', async () => {
    const browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true, locale: 'en-GB' });
      await page.goto(site);
      await page.getByLabel('E-mail address').fill(admin.email);
      await page.getByLabel('Password', { exact: true }).fill(admin.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(await page.context().cookies()).toContainEqual(
        expect.objectContaining({ secure: true, httpOnly: true }),
      );
    } finally {
      await browser.close();
    }
  });
});

describe.skipIf(engine === null)('a running installation', () => {
  test('loses no event while each container of three workers and two gateways is killed', async () => {
    await compose('up', '--wait', '--no-recreate', '--scale', 'worker=3', '--scale', 'gateway=2');
    const containers = (await compose('ps', '--quiet')).trim().split('\n');
    expect(containers.length).toBeGreaterThanOrEqual(11);
    for (const id of containers) {
      await run('docker', ['kill', id]);
      for (let at = 0; at < 20; at++) await send().catch(() => 0);
      // What ends by itself is started again by the engine; what an operator kills is not.
      await run('docker', ['start', id]);
      await waitUntil(async () => (await send().catch(() => 0)) === 200, {
        timeoutMs: 120_000,
        what: 'an accepted event',
      });
    }
    await expectStored();
  });

  test('keeps the data through down, up and a new image', async () => {
    await compose('down', '--timeout', '35');
    writeFileSync(join(folder, 'Dockerfile'), `FROM ${project}:first\nLABEL second=yes\n`);
    await run('docker', ['build', '--tag', `${project}:second`, folder]);
    const settings = readFileSync(join(folder, '.env'), 'utf8').replace(
      `${project}:first`,
      `${project}:second`,
    );
    writeFileSync(join(folder, '.env'), settings);
    await compose('up', '--wait', '--no-build');
    expect(await compose('images', 'gateway')).toContain('second');
    await waitUntil(async () => (await send().catch(() => 0)) === 200, {
      timeoutMs: 60_000,
      what: 'an accepted event',
    });
    await expectStored();
  });
});
