import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRecordId } from '@tickrate/contract';
import { createFleet, createLedger, createUsage } from '@tickrate/pipeline';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { createConsoleWorld, startConsoleWorld } from '../../testing/console-harness.ts';

const { world, postgresUrl } = await startConsoleWorld();
const ledger = createLedger({ postgresUrl });
const usage = createUsage({ postgresUrl });
const fleet = createFleet({ postgresUrl });
const newId = () => createRecordId(Date.now(), randomBytes);

afterAll(() => Promise.all([ledger.close(), usage.close(), fleet.close()]));

const pipeline = async (key: string) => (await world.send({ path: '/v1/pipeline', key })).body;

/** One stored batch, and one that is not stored. */
async function deliver(projectId: string, count: number): Promise<void> {
  await usage.reportAccepted(`gateway of ${projectId}`, new Map([[projectId, 2 * count]]));
  const chunk = () => ({
    id: newId(),
    projectId,
    count,
    idempotency: [],
    producer: 'g',
    position: { start: 0, settled: 0, voids: [] },
  });
  const stored = newId();
  await ledger.seal(stored, [chunk()]);
  await ledger.stored(stored);
  await ledger.seal(newId(), [chunk()]);
}

// Invariant (Management): No other project's events, storage or batches change what a project sees of the
// pipeline
describe('the pipeline', () => {
  test('counts the event types of the project whose view ClickHouse rejected', async () => {
    const [ours, theirs] = [await world.project(), await world.project()];
    const { projectId } = ours;
    const schema = { type: 'object' };
    const body = { declaration: schema };
    const declared = await world.send({
      method: 'POST',
      path: '/v1/event-types/kill/versions',
      key: ours.key,
      body,
    });
    expect(declared.status).toBe(200);
    expect((await pipeline(ours.key)).viewFaults).toBe(0);
    const fault =
      "INSERT INTO registry.view_faults (project_id, name, reason) VALUES ($1, 'kill', 'too long')";
    await world.accounts.query(fault, [projectId]);
    expect((await pipeline(ours.key)).viewFaults).toBe(1);
    expect((await pipeline(theirs.key)).viewFaults).toBe(0);
  });

  test('shows the owner of the installation each worker until it stops', async () => {
    const { projectId } = await world.project();
    const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
    await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
      owner.accountId,
    ]);
    const workers = async () => (await pipeline(owner.key)).installation.workers;
    const startedMs = Date.parse('2026-11-21T08:00:00.000Z');
    const report = { name: 'host:1', startedMs, eventsPerSecond: 12.5, memoryBytes: 1_000 };
    await fleet.reportWorker({ ...report, eventsPerSecond: 0 });
    await fleet.reportWorker(report);
    await fleet.reportWorker({ ...report, name: 'host:2' });
    expect(await workers()).toMatchObject([
      { name: 'host:1', started: '2026-11-21T08:00:00.000Z', eventsPerSecond: 12.5, memoryBytes: 1_000 },
      { name: 'host:2' },
    ]);
    await fleet.forgetWorker('host:1');
    await fleet.forgetWorker('host:2');
    expect(await workers()).toEqual([]);
  });

  test('shows a project only its own figures, and the owner of the installation all figures', async () => {
    const ours = await world.project();
    const theirs = await world.project();
    const { key: ofMember } = await createAdministrator(world.accounts, { [ours.projectId]: 'owner' });
    const owner = await createAdministrator(world.accounts, { [ours.projectId]: 'owner' });
    await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
      owner.accountId,
    ]);
    await deliver(ours.projectId, 2);
    const before = await pipeline(ours.key);
    await deliver(theirs.projectId, 600);
    for (const key of [ours.key, ofMember]) {
      const after = await pipeline(key);
      const { oldestOpenSeconds } = after.inserts;
      expect(after).toEqual({ ...before, inserts: { ...before.inserts, oldestOpenSeconds } });
      expect(after.installation).toBeNull();
      expect(after.inserts).toMatchObject({ eventsPerSecond: 2 / 60, inserts: 1, openInserts: 1 });
    }
    const { installation, ...own } = await pipeline(owner.key);
    expect(own.events).toEqual(before.events);
    expect(installation.inserts).toMatchObject({ eventsPerSecond: 602 / 60, inserts: 2, openInserts: 2 });
    expect(installation.queue).toHaveLength(1);
    expect(installation.workers).toEqual([]);
    expect(installation.warehouse).toBeNull();
  });
});

test('a ClickHouse that hangs is missing in the answers, which come in time', async () => {
  const hung = createServer().listen(0, '127.0.0.1');
  await once(hung, 'listening');
  const clickhouseUrl = `http://127.0.0.1:${(hung.address() as AddressInfo).port}`;
  const elsewhere = await createConsoleWorld({ postgresUrl, values: { clickhouseUrl } });
  onTestFinished(async () => {
    hung.closeAllConnections();
    await elsewhere.close();
    hung.close();
  });
  const { projectId, key } = await elsewhere.project();
  const owner = await createAdministrator(world.accounts, { [projectId]: 'owner' });
  await world.accounts.query('UPDATE auth.accounts SET owns_installation = true WHERE id = $1', [
    owner.accountId,
  ]);
  const [overview, installation] = await Promise.all([
    elsewhere.send({ path: '/v1/overview', key }),
    elsewhere.send({ path: '/v1/pipeline', key: owner.key }),
  ]);
  expect(overview).toMatchObject({ status: 200, body: { activity: null } });
  expect(overview.body.attention).toContainEqual(expect.objectContaining({ kind: 'warehouseUnavailable' }));
  expect(installation).toMatchObject({ status: 200, body: { installation: { warehouse: null } } });
});
