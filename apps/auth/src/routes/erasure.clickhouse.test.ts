import { createHash, randomFillSync, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { hashAccount } from '@tickrate/contract';
import {
  appendRow,
  compileDeclaration,
  createEventIds,
  createRowFrame,
  plainEnvelope,
  RowWriter,
} from '@tickrate/events';
import { createErasures, createQuarantine, migrateLedger } from '@tickrate/pipeline';
import { createRegistryCache } from '@tickrate/registry';
import { createManualClock, freshClickHouse, freshPostgres, waitUntil } from '@tickrate/testkit';
import { createWarehouse } from '@tickrate/warehouse';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AnswerBody,
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
} from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const { url: postgresUrl } = await freshPostgres();
const { url: clickhouseUrl, database: clickhouseDatabase } = await freshClickHouse();
const clock = createManualClock(Date.UTC(2026, 5, 1));
const warehouse = createWarehouse({ clickhouseUrl, database: clickhouseDatabase });
const erasures = createErasures({ postgresUrl, newId: randomUUID });
let world: AuthWorld;
let auth: AuthInstance;

beforeAll(async () => {
  world = await createAuthWorld(postgresUrl, clock.now);
  await Promise.all([migrateLedger(postgresUrl), warehouse.migrate()]);
  auth = await world.start({ adminSignup: 'open', clickhouseUrl, clickhouseDatabase });
});
afterAll(async () => {
  await world.close();
  await Promise.all([warehouse.close(), erasures.close()]);
});

const password = 'correct horse battery staple';

/** A player with an address, a password, a second factor, a device and a profile. */
async function player(email: string, deviceId: string): Promise<AnswerBody & { key: string }> {
  const { projectId, key } = await world.project();
  const tokens = { deviceTestTokens: [{ deviceId }] };
  const { body: made } = await auth.send({
    key,
    body: { tokens, registration: { displayName: 'Ada of Kart' } },
  });
  const apiKey = made.authenticatedSession.apiKey;
  await auth.send({ key: apiKey, path: 'account/email', body: { emailAddress: email } });
  const token = await waitUntil(() => world.mailedCode(email), { what: 'the mail' });
  const verified = await auth.send({
    key: apiKey,
    method: 'POST',
    path: 'account/email/verify',
    body: { token },
  });
  expect(verified.body).toBe(true);
  await auth.send({ key: apiKey, path: 'account/password', body: { password } });
  const { secret } = await beginSetup({ world, auth }, apiKey);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const body = { twoFactorCode: totp.generate({ timestamp: clock.now() }) };
  expect((await auth.send({ key: apiKey, method: 'POST', path: 'account/twofactor', body })).status).toBe(
    200,
  );
  return { ...made.authenticatedSession, projectId, key };
}

async function storeEvents(projectId: string, accountId: string, count: number): Promise<void> {
  const declared = compileDeclaration({ type: 'object', properties: { n: { type: 'integer' } } });
  if (!declared.ok) throw new Error('not a declaration');
  const sender = {
    projectId,
    accountId,
    keyLine: null,
    keyKind: 'session' as const,
    sessionId: 'us-1',
    clientAddress: '192.0.2.0',
    sdkName: '',
    sdkVersion: '',
    receivedMs: clock.now(),
    skewMs: 0,
  };
  const type = { name: 'match', version: 1, codec: declared.declaration.codec(), hasOccurredAt: false };
  const writer = new RowWriter();
  const ids = createEventIds(randomFillSync);
  for (let n = 0; n < count; n += 1) {
    const source = Buffer.from(`{"n":${n}}`);
    appendRow(writer, createRowFrame(sender, type), { source, at: 0, envelope: plainEnvelope, ids });
  }
  const body = [zstdCompressSync(writer.bytes.subarray(0, writer.at))];
  expect(await warehouse.insertRows({ body, token: randomUUID() })).toEqual({ kind: 'stored' });
}

/** All contents of the schema of sign-in, as text. */
async function allRows(): Promise<string> {
  const tables = await world.db.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname = 'auth' OR (schemaname = 'registry' AND tablename = 'session_keys')`,
  );
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(JSON.stringify(await world.db.query(`SELECT t::text FROM ${name} t`)));
  return texts.join('\n');
}

// Invariant (Privacy): A deleted account leaves no trace in sign-in
test('an export is one JSON document with all data of the account, including events, and no other data', async () => {
  const ada = await player('ada@example.com', 'device-of-ada');
  const bob = await player('bob@example.com', 'device-of-bob');
  await storeEvents(ada.projectId, ada.accountId, 2_500);
  await storeEvents(ada.projectId, bob.accountId, 3);
  const { status, headers, body } = await auth.send({
    key: ada.apiKey,
    method: 'POST',
    path: 'account/export',
  });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(body).toMatchObject({
    account: { id: ada.accountId, emailAddress: 'ada@example.com', displayName: 'Ada of Kart' },
    identities: [{ provider: 'deviceTest', subject: 'test:device-of-ada' }],
    sessions: [{ id: ada.id, projectId: ada.projectId }],
    complete: true,
  });
  expect(body.events).toHaveLength(2_500);
  expect(body.events[0]).toMatchObject({ type: 'match', sessionId: 'us-1', clientAddress: '192.0.2.0' });
  expect(body.audit.map((row: { act: string }) => row.act)).toContain('accountExported');
  const text = JSON.stringify(body);
  for (const foreign of ['bob', bob.accountId, 'hash', password])
    expect({ foreign, isShown: text.includes(foreign) }).toEqual({ foreign, isShown: false });
});

test('an account can be exported a few times, then it must wait', async () => {
  const { apiKey } = await player('eve@example.com', 'device-of-eve');
  const exported = () => auth.send({ key: apiKey, method: 'POST', path: 'account/export' });
  for (let n = 0; n < 3; n++) expect((await exported()).status).toBe(200);
  // Clients sleep for the whole delay, so it must be short.
  expect((await exported()).body).toMatchObject({ code: 6002, data: { retryAfterSeconds: 60 } });
});

test('an export contains quarantined events', async () => {
  const dan = await player('dan@example.com', 'device-of-dan');
  const quarantine = createQuarantine({ postgresUrl });
  const sample = {
    id: randomUUID(),
    projectId: dan.projectId,
    type: 'match',
    version: 1,
    versionNamed: false,
    reason: 'type',
    pointer: '/n',
    message: 'no',
    form: 'event' as const,
    raw: Buffer.from('{"n":"of dan"}'),
    bytes: 14,
    keyId: '',
    keyLine: null,
    keyKind: 'session' as const,
    sessionId: '',
    accountId: dan.accountId,
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    requestId: '',
    eventId: null,
    receivedMs: 1,
    occurredMs: null,
    skewMs: 0,
  };
  const count = {
    projectId: dan.projectId,
    type: 'match',
    version: 1,
    reason: 'type',
    events: 1,
    firstMs: 1,
    lastMs: 1,
  };
  await quarantine.keepRejections({ producer: 'gateway', number: 1, counts: [count], samples: [sample] });
  await quarantine.close();
  const { body } = await auth.send({ key: dan.apiKey, method: 'POST', path: 'account/export' });
  expect(body.quarantined).toMatchObject([{ kind: 'rejected', text: '{"n":"of dan"}' }]);
});

test('a deleted account leaves no data, and its session ends on every gateway', async () => {
  const kim = await player('kim@example.com', 'device-of-kim');
  const cache = createRegistryCache({ postgresUrl, now: clock.now, onFault: () => undefined });
  await cache.start();
  expect(await cache.principal(kim.apiKey)).toMatchObject({ accountId: kim.accountId });
  const { status, body } = await auth.send({ key: kim.apiKey, method: 'DELETE', path: 'account' });
  expect(status).toBe(200);
  expect(body.removed).toMatchObject({ accounts: 1, identities: 1, sessions: 1, passwords: 1, totps: 1 });
  expect(body.erasures).toMatchObject([{ projectId: kim.projectId }]);
  await waitUntil(async () => (await cache.principal(kim.apiKey)) === null, {
    what: 'the end of the session',
  });
  await cache.stop();

  const rows = await allRows();
  for (const trace of [kim.accountId, kim.id, 'kim@example.com', 'device-of-kim'])
    expect({ trace, isLeft: rows.includes(trace) }).toEqual({ trace, isLeft: false });
  const audit = await world.db.query('SELECT * FROM auth.audit WHERE account_id = $1', [
    `erased-${createHash('sha256').update(kim.accountId).digest('hex').slice(0, 20)}`,
  ]);
  expect(audit.length).toBe(body.removed.auditEntriesMadeAnonymous);
  expect(audit).toContainEqual(expect.objectContaining({ act: 'accountErased', client_address: '' }));
  expect((await auth.send({ key: kim.apiKey, method: 'GET', path: 'session' })).status).toBe(401);

  const [{ id }] = body.erasures;
  expect(await erasures.find(id)).toMatchObject({ accountHash: hashAccount(kim.accountId), mode: 'remove' });
  const asked = await auth.send({ key: kim.key, method: 'GET', path: `account/erasure/${id}` });
  expect(asked.body).toEqual({ id, state: 'requested', certificate: null });
  const { key: foreignKey } = await world.project();
  expect((await auth.send({ key: foreignKey, method: 'GET', path: `account/erasure/${id}` })).status).toBe(
    404,
  );
});

test('a project that masks keeps the events of a deleted account', async () => {
  const { projectId, key } = await world.project();
  await world.registry.setPolicy({ projectId, name: 'erasure', value: { mode: 'mask' } });
  const tokens = { deviceTestTokens: [{ deviceId: 'device-of-ned' }] };
  const session = (await auth.send({ key, body: { tokens } })).body.authenticatedSession;
  const { body } = await auth.send({ key: session.apiKey, method: 'DELETE', path: 'account' });
  expect(await erasures.find(body.erasures[0].id)).toMatchObject({ mode: 'mask' });
});

test('the same device signs in to a new account after the deletion', async () => {
  const { key } = await world.project();
  const tokens = { deviceTestTokens: [{ deviceId: 'device-of-lee' }] };
  const before = (await auth.send({ key, body: { tokens } })).body.authenticatedSession;
  await auth.send({ key: before.apiKey, method: 'DELETE', path: 'account' });
  const after = (await auth.send({ key, body: { tokens } })).body;
  expect(after.created).toBe(true);
  expect(after.authenticatedSession.accountId).not.toBe(before.accountId);
});

test('a deletion requires a recent sign-in, and twenty concurrent calls delete once', async () => {
  const max = await player('max@example.com', 'device-of-max');
  clock.advance(16 * 60_000);
  const refused = await auth.send({ key: max.apiKey, method: 'DELETE', path: 'account' });
  expect(refused.body.code).toBe(2005);
  const tokens = { deviceTestTokens: [{ deviceId: 'device-of-max-2' }] };
  const { key } = await world.project();
  const again = (await auth.send({ key, body: { tokens } })).body.authenticatedSession;
  const calls = Array.from({ length: 20 }, () =>
    auth.send({ key: again.apiKey, method: 'DELETE', path: 'account' }),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 401)).toHaveLength(19);
});

test('the last administrator of the installation cannot be deleted', async () => {
  await world.db.query(
    `INSERT INTO auth.accounts (id, realm, owns_installation, created) VALUES ($1, 'installation', true, now())`,
    ['u-abcdefghijklmnopqrst'],
  );
  const { key } = await world.project();
  const tokens = { deviceTestTokens: [{ deviceId: 'device-of-owner' }] };
  const session = (await auth.send({ key, body: { tokens } })).body.authenticatedSession;
  await world.db.query('UPDATE auth.sessions SET account_id = $2, realm = $3 WHERE id = $1', [
    session.id,
    'u-abcdefghijklmnopqrst',
    'installation',
  ]);
  const { status, body } = await auth.send({ key: session.apiKey, method: 'DELETE', path: 'account' });
  expect(status).toBe(409);
  expect(body.data).toMatchObject({ objectNotEditableReason: 'lastAdministrator' });
  expect((await allRows()).includes('u-abcdefghijklmnopqrst')).toBe(true);
});

test('an erasure by an administrator deletes the account too, and no account of another project', async () => {
  const pat = await player('pat@example.com', 'device-of-pat');
  const other = await player('sam@example.com', 'device-of-sam');
  const request = { mode: 'remove', requestedBy: 'key 1' } as const;
  const id = await erasures.request({ ...request, projectId: pat.projectId, accountId: pat.accountId });
  const elsewhere = await erasures.request({
    ...request,
    projectId: pat.projectId,
    accountId: other.accountId,
  });
  for (const each of [id, id, elsewhere]) await erasures.accountRemoved(each);
  expect((await allRows()).includes(pat.accountId)).toBe(false);
  expect(await erasures.accountLeft(id)).toEqual({});
  expect((await auth.send({ key: pat.apiKey, method: 'GET', path: 'account' })).status).toBe(401);
  expect((await auth.send({ key: other.apiKey, method: 'GET', path: 'account' })).status).toBe(200);
  const { rows } = await counted(id);
  expect(rows).toMatchObject({ accounts: 1, identities: 1, sessions: 1 });
  expect((await counted(elsewhere)).rows).toEqual({});
});

async function counted(id: string): Promise<{ rows: object }> {
  const [row] = await world.db.query<{ rows: object }>(
    'SELECT account_rows AS rows FROM delivery.erasures WHERE id = $1',
    [id],
  );
  return row ?? { rows: {} };
}
