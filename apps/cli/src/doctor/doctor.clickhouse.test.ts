import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFleet, migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { migrateRegistry } from '@tickrate/registry';
import { findFreePort, freshClickHouse, freshPostgres } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findApi } from '../calling/find-api.ts';
import { runCommand } from '../command-harness.ts';
import { cliConfig } from '../config.ts';
import { examine } from './doctor.ts';
import type { Finding } from './finding.ts';

const { url: postgresUrl } = await freshPostgres();
const { url: clickhouseUrl, database } = await freshClickHouse();
const folder = mkdtempSync(join(tmpdir(), 'tickrate-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  await migrateQueue(postgresUrl);
});

async function doctor(environment: Readonly<Record<string, string>>, now = Date.now) {
  const values = cliConfig.parse(environment);
  const options = { folder, url: undefined, gateway: undefined, auth: undefined };
  const result = await examine({ folder, values, place: findApi(options, values, now()), now });
  const { findings } = result.json as { readonly findings: readonly Finding[] };
  return { ...result, findings, of: (check: string) => findings.find((finding) => finding.check === check) };
}

test('every store that answers has a good finding without advice', async () => {
  const { of } = await doctor({ POSTGRES_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl });
  for (const check of ['Node', 'PostgreSQL', 'Queue', 'ClickHouse', 'ClickHouse clock', 'PostgreSQL clock']) {
    expect(of(check)).toMatchObject({ check, state: 'good', advice: null });
  }
  expect(of('ClickHouse queries')?.found).toMatch(/./);
  // Both belong to an installation of `npm start`.
  expect([of('Ports'), of('Data folder')]).toEqual([undefined, undefined]);
});

test('an installation without a worker is a fault, until one reports', async () => {
  const environment = { POSTGRES_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl };
  expect((await doctor(environment)).of('Workers')).toMatchObject({ state: 'bad' });
  const fleet = createFleet({ postgresUrl });
  onTestFinished(() => fleet.close());
  await fleet.reportWorker({ name: 'w', startedMs: Date.now(), eventsPerSecond: 0, memoryBytes: 0 });
  expect((await doctor(environment)).of('Workers')).toMatchObject({ state: 'good' });
});

test('a wrong clock of this machine shows in the finding of every store', async () => {
  const { of } = await doctor(
    { POSTGRES_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl },
    () => Date.now() - 3_600_000,
  );
  for (const check of ['ClickHouse clock', 'PostgreSQL clock']) {
    expect(of(check)).toMatchObject({ state: 'warning', found: expect.stringContaining('ahead') });
  }
});

test('a store that is away makes the command fail, and every finding has advice', async () => {
  const port = await findFreePort();
  const { code, findings, of, lines } = await doctor({
    POSTGRES_URL: `postgres://127.0.0.1:${port}/x`,
    QUEUE_URL: `redis://127.0.0.1:${port}`,
    CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
    TICKRATE_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    ADMIN_OIDC_ISSUER: `http://127.0.0.1:${port}`,
  });
  expect(code).toBe(1);
  for (const check of [
    'PostgreSQL',
    'Queue',
    'ClickHouse',
    'console',
    'Mail',
    'Provider of administrators',
  ]) {
    expect(of(check)).toMatchObject({ check, state: 'bad' });
  }
  const faults = findings.filter(({ state }) => state !== 'good');
  expect(faults.filter(({ advice }) => advice === null)).toEqual([]);
  expect(lines?.filter((line) => line.includes('→'))).toHaveLength(faults.length);
});

test('a password that ClickHouse refuses is reported as a wrong password', async () => {
  const wrong = new URL(clickhouseUrl);
  wrong.password = 'wrong';
  const { of } = await doctor({ POSTGRES_URL: postgresUrl, CLICKHOUSE_URL: wrong.href });
  expect(of('ClickHouse')).toMatchObject({ state: 'bad', found: expect.stringContaining('password') });
});

test('a mail server that answers has no fault; without one the place of the mails is reported', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  const port = typeof bound === 'object' ? bound?.port : 0;
  const withMail = await doctor({ POSTGRES_URL: postgresUrl, SMTP_URL: `smtp://127.0.0.1:${port}` });
  expect(withMail.of('Mail')).toMatchObject({ state: 'good' });
  const without = await doctor({ POSTGRES_URL: postgresUrl });
  expect(without.of('Mail')).toMatchObject({ state: 'warning', advice: expect.stringContaining('outbox') });
});

test('migrate and doctor use the database of CLICKHOUSE_DATABASE', async () => {
  const environment = {
    POSTGRES_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    CLICKHOUSE_DATABASE: database,
  };
  expect((await doctor(environment)).of('ClickHouse events')).toMatchObject({ found: 'no table' });
  expect(await runCommand(['migrate'], environment)).toMatchObject({ code: 0 });
  const warehouse = createWarehouse({ clickhouseUrl });
  onTestFinished(() => warehouse.close());
  const named = "SELECT name FROM system.tables WHERE database = {database:String} AND name = 'events'";
  expect(await warehouse.query(named, { parameters: { database } })).toEqual([{ name: 'events' }]);
  expect((await doctor(environment)).of('ClickHouse repeats')).toMatchObject({ state: 'good' });
});
