import { randomUUID } from 'node:crypto';
import { migrateAuth } from '@tickrate/accounts';
import { sealCertificate } from '@tickrate/contract';
import { createErasures, createQuarantine, readAccounts } from '@tickrate/pipeline';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry } from '@tickrate/registry';
import { waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { sampleChunk, sampleDeclaration, sampleId } from '../testing/sample-rows.ts';
import { startWorker } from '../testing/worker-bench.ts';
import { startWorkerStores } from '../testing/worker-stores.ts';
import { eraseAll } from './eraser.ts';
import { readPersonalPaths } from './personal-paths.ts';
import { removeProjectRows } from './remove-project-rows.ts';

const { postgresUrl, database, environment, warehouse, ledger, usage, producer, monitor } =
  await startWorkerStores();
const quarantine = createQuarantine({ postgresUrl });
const registry = createRegistry({ postgresUrl, now: Date.now });
const erasures = createErasures({ postgresUrl, newId: randomUUID });
const postgres = createPostgres({ postgresUrl, onFault: () => undefined });
await migrateAuth(postgresUrl);

afterAll(async () => {
  await Promise.all([quarantine, registry, erasures, postgres].map((store) => store.close()));
});

const ann = 'u-ann';
const bob = 'u-bob';

async function newProject(): Promise<string> {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  await registry.declareEventType({ projectId, name: 'sample', declaration: sampleDeclaration });
  return projectId;
}

/** Two events of both accounts and one without an account, in one chunk: no store may confuse them. */
function mixedChunk(projectId: string) {
  const receivedMs = Date.now();
  const requests = [{ events: [1, 2], accountId: ann }, { events: [1, 2], accountId: bob }, { events: [9] }];
  return sampleChunk({ id: sampleId(receivedMs), projectId, receivedMs, requests });
}

async function reject(projectId: string): Promise<void> {
  const sample = {
    projectId,
    type: 'sample',
    version: 1,
    versionNamed: false,
    reason: 'type',
    pointer: '',
    message: 'no',
    form: 'event' as const,
    raw: Buffer.from('{"n":"x"}'),
    bytes: 9,
    keyId: '',
    keyLine: null,
    keyKind: 'session' as const,
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    requestId: '',
    eventId: null,
    occurredMs: null,
    skewMs: 0,
  };
  const samples = [ann, bob, bob].map((accountId) => ({
    ...sample,
    id: randomUUID(),
    accountId,
    sessionId: `us-${accountId}`,
    receivedMs: Date.now(),
  }));
  const kind = {
    projectId,
    type: 'sample',
    version: 1,
    reason: 'type',
    firstMs: Date.now(),
    lastMs: Date.now(),
  };
  await quarantine.keepRejections({
    producer: randomUUID(),
    number: 1,
    counts: [{ ...kind, events: 3 }],
    samples,
  });
}

/** Like the worker with rows that ClickHouse rejects. */
async function bury(projectId: string): Promise<void> {
  const chunk = mixedChunk(projectId);
  const batchId = sampleId(Date.now());
  await ledger.seal(batchId, [chunk]);
  const letter = {
    id: randomUUID(),
    projectId,
    chunkId: chunk.id,
    firstRow: 0,
    rows: 5,
    payload: chunk.frame,
    types: { sample: 5 },
  };
  await ledger.buryFragment({ batchId, path: '', reason: 'refused', detail: '', letters: [letter] });
  await ledger.stored(batchId);
}

/** How many events of an account each store holds. */
async function holdings(projectId: string, accountId: string) {
  const events = await warehouse.countAccount({ projectId, accountId, receivedUntilMs: Date.now() + 60_000 });
  const counts = { events: events.get('sample') ?? 0, rejected: 0, dead: 0 };
  for await (const entry of quarantine.exportAccount(projectId, accountId)) {
    if (entry.kind === 'rejected') counts.rejected += 1;
    else counts.dead += entry.rows;
  }
  return counts;
}

async function accountOf(projectId: string) {
  return (await readAccounts({ usage, pending: () => monitor.pending() })).get(projectId);
}

// Invariant (Privacy): An erased account leaves nothing, nobody else loses an event, and killing the
// eraser at any step changes nothing
test('an account is erased from everywhere, also from waiting events, and the certificate proves it', async () => {
  const projectId = await newProject();
  const worker = await startWorker({ ...environment, ERASURE_MARGIN: '0s' });
  await producer.add(mixedChunk(projectId));
  await waitUntil(async () => (await accountOf(projectId))?.stored === 5, { what: 'the first chunk' });
  await reject(projectId);
  await bury(projectId);
  await worker.stop();
  await producer.add(mixedChunk(projectId));
  const id = await erasures.request({
    projectId,
    accountId: ann,
    mode: 'remove',
    requestedBy: 'the account',
  });
  expect(await holdings(projectId, ann)).toEqual({ events: 2, rejected: 1, dead: 2 });

  const next = await startWorker({ ...environment, ERASURE_MARGIN: '0s' });
  await waitUntil(async () => (await erasures.find(id))?.state === 'done', {
    timeoutMs: 20_000,
    what: 'the certificate',
  });
  await next.stop();

  const certificate = (await erasures.find(id))?.certificate;
  if (!certificate) throw new Error('no certificate');
  expect(certificate.removed).toEqual({
    account: {},
    events: { sample: 4 },
    quarantine: { sample: 1 },
    deadLetters: { sample: 2 },
    unreadableDeadLetters: 0,
  });
  expect(await holdings(projectId, ann)).toEqual({ events: 0, rejected: 0, dead: 0 });
  expect(await holdings(projectId, bob)).toEqual({ events: 4, rejected: 2, dead: 2 });
  expect(await erasures.verify(certificate)).toBe('intact');
  const { digest: _, ...statement } = certificate;
  const forged = sealCertificate({ ...statement, removed: { ...statement.removed, events: {} } });
  expect(await erasures.verify(forged)).toBe('changed');
  // Totals count deliveries: an event that was stored once stays counted as stored.
  expect(await accountOf(projectId)).toEqual({
    accepted: 15,
    stored: 10,
    pending: 0,
    deduplicated: 0,
    dead: 5,
    missing: 0,
  });
});

/** Crashes in its n-th call of a store, before or after its effect. */
function mortal<T extends object>(stores: T, life: { calls: number }, when: 'before' | 'after'): T {
  const die = () => {
    life.calls -= 1;
    if (life.calls < 0) throw new Error('killed');
  };
  return new Proxy(stores, {
    get(target, name) {
      const call = Reflect.get(target, name);
      if (typeof call !== 'function' || name === 'exportAccount') return call;
      return async (...given: unknown[]) => {
        if (when === 'before') die();
        const answer = await Reflect.apply(call, target, given);
        if (when === 'after') die();
        return answer;
      };
    },
  });
}

/** Erases as a worker that crashes before or after every step. Returns how often it crashed. */
async function eraseKilled(id: string, when: 'before' | 'after'): Promise<number> {
  let deaths = 0;
  // From each state, the first attempt crashes at its first step, the next one at its second, and so on.
  const lives = new Map<string, number>();
  for (;;) {
    const { state = 'done' } = (await erasures.find(id)) ?? {};
    if (state === 'done') break;
    const life = { calls: lives.get(state) ?? 0 };
    lives.set(state, life.calls + 1);
    const onFault = (fault: unknown) => expect(fault).toMatchObject({ message: 'killed' });
    const parts = {
      work: mortal(erasures, life, when),
      warehouse: mortal(warehouse, life, when),
      quarantine: mortal(quarantine, life, when),
    };
    await eraseAll(
      {
        ...parts,
        removeProjectRows: (project) => removeProjectRows(mortal(postgres, life, when), erasures, project),
        marginMs: 1_000,
        onErased: () => undefined,
        onFault,
        personalPaths: (project) => readPersonalPaths(registry, project),
        settledUntilMs: async () => Date.now() + 60_000,
      },
      AbortSignal.timeout(10_000),
    ).catch(onFault);
    if (life.calls < 0) deaths += 1;
    await erasures.release(id, null);
  }
  return deaths;
}

const kills = [
  { mode: 'remove', when: 'after' },
  { mode: 'mask', when: 'before' },
  { mode: 'mask', when: 'after' },
] as const;

for (const { mode, when } of kills) {
  test(`an erasure (${mode}) that is killed ${when} every step has the same result as an uninterrupted one`, async () => {
    const projectId = await newProject();
    const worker = await startWorker(environment);
    await producer.add(mixedChunk(projectId));
    await waitUntil(async () => (await accountOf(projectId))?.stored === 5, { what: 'the chunk' });
    await worker.stop();
    await reject(projectId);
    await bury(projectId);
    const id = await erasures.request({ projectId, accountId: ann, mode, requestedBy: 'a test' });
    const deaths = await eraseKilled(id, when);
    expect(deaths).toBeGreaterThanOrEqual(10);
    const certificate = (await erasures.find(id))?.certificate;
    expect(certificate?.removed).toMatchObject({
      events: { sample: 2 },
      quarantine: { sample: 1 },
      deadLetters: { sample: 2 },
    });
    expect(await holdings(projectId, ann)).toEqual({ events: 0, rejected: 0, dead: 0 });
    expect(await holdings(projectId, bob)).toEqual({ events: 2, rejected: 2, dead: 2 });
    const nobodys = await warehouse.query<{ n: string; name: string | null }>(
      `SELECT toString(data.n) AS n, data.name.:String AS name FROM ${database}.events
         WHERE project = {project:String} AND account_id = '' ORDER BY n`,
      { parameters: { project: projectId } },
    );
    const masked =
      mode === 'mask'
        ? [
            { n: '1', name: null },
            { n: '2', name: null },
          ]
        : [];
    expect(nobodys).toEqual([...masked, { n: '9', name: null }]);
  }, 20_000);
}

// Invariant (Privacy): A deleted project leaves nothing but its certificate and running totals, no other project loses
// anything, and killing the eraser at any step changes nothing
for (const when of ['before', 'after'] as const) {
  test(`a project whose deletion is killed ${when} every step is gone, and another one is not touched`, async () => {
    const [gone, kept] = [await newProject(), await newProject()];
    const worker = await startWorker(environment);
    for (const projectId of [gone, kept]) {
      await producer.add(mixedChunk(projectId));
      await waitUntil(async () => (await accountOf(projectId))?.stored === 5, { what: 'the chunk' });
      await reject(projectId);
      await bury(projectId);
      await fill(projectId);
    }
    await worker.stop();
    await postgres.query('SELECT delivery.count_usage(NULL)');
    await postgres.transaction((tx) =>
      registry.inTransaction(tx).endProject({ projectId: gone, name: 'Kart' }),
    );
    const keptRows = await tablesWith(kept);
    const request = { accountId: null, mode: 'remove', requestedBy: 'an owner' } as const;
    const id = await erasures.request({ ...request, projectId: gone });
    expect(await eraseKilled(id, when)).toBeGreaterThanOrEqual(30);

    const totals = ['delivery.producers', 'delivery.totals', 'delivery.usage'];
    expect(await tablesWith(gone)).toEqual(['delivery.erasures', ...totals]);
    expect(await tablesWith(kept)).toEqual(keptRows);
    expect(await rowsOf(gone)).toBe('0');
    expect(await rowsOf(kept)).toBe('5');
    const certificate = (await erasures.find(id))?.certificate;
    expect(certificate).toMatchObject({
      accountHash: null,
      removed: {
        account: { accounts: 2, sessionKeys: 2, members: 1, keys: 1, eventTypes: 1, projects: 1 },
        events: { sample: 5 },
        quarantine: { sample: 3 },
        deadLetters: { sample: 5 },
      },
      remaining: { account: {}, events: {}, quarantine: {}, deadLetters: {} },
    });
    expect(certificate && (await erasures.verify(certificate))).toBe('intact');
  }, 60_000);
}

/** Rows that a project collects: keys, an owner, and two players with sessions. */
async function fill(projectId: string): Promise<void> {
  await registry.createKey({ projectId, kind: 'public', comment: '', createdBy: 'a test' });
  const name = () => randomUUID().replaceAll('-', '').slice(0, 20);
  const [owner, ...players] = [`u-${name()}`, `u-${name()}`, `u-${name()}`];
  const insert = 'INSERT INTO auth.accounts (id, realm, created) VALUES ($1, $2, now())';
  await postgres.query(insert, [owner, 'installation']);
  await postgres.query(
    "INSERT INTO auth.members (project_id, account_id, role, granted) VALUES ($1, $2, 'owner', now())",
    [projectId, owner],
  );
  for (const player of players) {
    await postgres.query(insert, [player, projectId]);
    await postgres.query(
      `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
       VALUES (sha256($1::text::bytea), $1, $2, $3, '{}', now() + interval '1 day')`,
      [`us-${name()}`, player, projectId],
    );
  }
}

/** The tables in which a project, or an account of it, has rows. */
async function tablesWith(projectId: string): Promise<string[]> {
  const columns = await postgres.query<{ name: string; column: string }>(
    `SELECT c.table_schema || '.' || c.table_name AS name, c.column_name AS column
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema IN ('auth', 'registry', 'delivery') AND t.table_type = 'BASE TABLE'
        AND (c.column_name IN ('project_id', 'realm', 'project') OR c.table_name = 'projects' AND c.column_name = 'id')
      ORDER BY 1`,
  );
  const found = new Set<string>();
  for (const { name, column } of columns) {
    const rows = await postgres.query(`SELECT FROM ${name} WHERE ${column} = $1 LIMIT 1`, [projectId]);
    if (rows.length > 0) found.add(name);
  }
  return [...found];
}

async function rowsOf(projectId: string): Promise<string | undefined> {
  const sql = `SELECT count() AS n FROM ${database}.events WHERE project = {project:String}`;
  const [row] = await warehouse.query<{ n: string }>(sql, { parameters: { project: projectId } });
  return row?.n;
}

test('nothing is removed before all earlier events are stored, and one erasure does not block another', async () => {
  const projectId = await newProject();
  const early = await erasures.request({ projectId, accountId: ann, mode: 'remove', requestedBy: 'a test' });
  const late = await erasures.request({ projectId, accountId: bob, mode: 'mask', requestedBy: 'a test' });
  const faults: unknown[] = [];
  const options = {
    work: erasures,
    quarantine,
    removeProjectRows: () => Promise.reject(new Error('no project is deleted')),
    marginMs: 1_000,
    onErased: () => undefined,
    onFault: (fault: unknown) => faults.push(fault),
    personalPaths: () => Promise.reject(new Error('the registry is away')),
  };
  const requestedMs = (await erasures.find(early))?.requestedMs ?? 0;
  const untouched = mortal(warehouse, { calls: 1 }, 'before');
  const signal = AbortSignal.timeout(10_000);
  const settledUntilMs = async () => requestedMs + 900;
  await eraseAll({ ...options, warehouse: untouched, settledUntilMs }, signal);
  expect([await erasures.find(early), await erasures.find(late)]).toMatchObject([
    { state: 'waiting', fault: null },
    { state: 'waiting', fault: null },
  ]);
  await eraseAll({ ...options, warehouse, settledUntilMs: async () => requestedMs + 600_000 }, signal);
  expect([await erasures.find(early), await erasures.find(late)]).toMatchObject([
    { state: 'done' },
    { state: 'copying', fault: 'Error: the registry is away' },
  ]);
  expect(faults).toHaveLength(1);
});
