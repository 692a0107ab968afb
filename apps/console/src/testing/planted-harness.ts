import { randomBytes } from 'node:crypto';
import { inRealm, putMail, writeAudit } from '@tickrate/accounts';
import { createRecordId, type Operation } from '@tickrate/contract';
import { createSecretBoxOf } from '@tickrate/platform';
import { type Administrator, createAdministrator } from './administrator-harness.ts';
import {
  type ConsoleCall,
  type ConsoleWorld,
  type ManagedProject,
  secretsKey,
  type startStoredWorld,
} from './console-harness.ts';
import { createPlayer, type PlayerOfTest } from './player-harness.ts';
import { rejectEvents } from './rejection-harness.ts';

/** A project with one object of each kind, and texts that occur nowhere else. */
export interface PlantedProject extends ManagedProject {
  readonly owner: Administrator;
  readonly player: PlayerOfTest;
  /** What only `personal:read` or a scope for people may show. */
  readonly personal: readonly string[];
  /** The first example of an operation, about the objects of this project. */
  exampleOf(operation: Operation, key: string | undefined): ConsoleCall;
}

type StoredWorld = Awaited<ReturnType<typeof startStoredWorld>>;

export async function projectWithOwner(world: ConsoleWorld) {
  const project = await world.project();
  return { ...project, owner: await createAdministrator(world.accounts, { [project.projectId]: 'owner' }) };
}

export async function plantProject(stored: StoredWorld, nowMs: number): Promise<PlantedProject> {
  const { world } = stored;
  const project = await projectWithOwner(world);
  const { projectId, key } = project;
  const player = await createPlayer(world.accounts, { projectId, nowMs });
  await leaveTraces(world, { projectId, player, nowMs });
  const post = async (path: string, body: object) =>
    (await world.send({ method: 'POST', path, key, body })).body;
  const nick = { type: 'string', 'x-personal': true };
  const declaration = { type: 'object', properties: { level: { type: 'integer' }, nick } };
  const versions = '/v1/event-types/victims_type/versions';
  await post(versions, { declaration });
  const score = { type: 'integer' };
  await post(versions, { declaration: { ...declaration, properties: { ...declaration.properties, score } } });
  await storeEvent(stored, { projectId, player, nowMs });
  const invitation = await post('/v1/invitations', { emailAddress: 'guest@victim.example', role: 'viewer' });
  const saved = await post('/v1/saved-queries', { name: 'victims query', content: { sql: 'SELECT 1' } });
  const dashboard = await post('/v1/dashboards', { name: 'victims board', content: { tiles: [] } });
  const [sampleId = ''] = await rejectEvents(project, ['{"level":0,"nick":"victims sample"}'], {
    postgresUrl: stored.postgresUrl,
    type: 'victims_type',
    nowMs,
    sessionId: player.session.id,
    accountId: player.accountId,
    clientAddress: '203.0.113.7',
  });
  const named = {
    projectId,
    keyId: project.keyId,
    accountId: project.owner.accountId,
    sessionId: player.session.id,
    invitationId: invitation.id,
    id: saved.id,
    version: '1',
  };
  return {
    ...project,
    player,
    personal: [
      player.emailAddress,
      player.subject,
      player.accountId,
      player.session.id,
      '203.0.113.7',
      'victims nick',
      'victims sample',
      'guest@victim.example',
      'victims code',
    ],
    exampleOf: (operation, by) =>
      firstExample(operation, { named, player, sampleId, dashboardId: dashboard.id, key: by }),
  };
}

interface Planted {
  readonly nowMs: number;
  readonly projectId: string;
  readonly player: PlayerOfTest;
}

/** The rows that sign-in stores for a player besides the account. */
async function leaveTraces(world: ConsoleWorld, { projectId, player, nowMs }: Planted): Promise<void> {
  const people = inRealm(world.accounts, projectId);
  const id = createRecordId(nowMs, randomBytes);
  const body = createSecretBoxOf(secretsKey).seal('victims code', 'outbox');
  const { accountId } = player;
  await putMail(people, { id, accountId, to: player.emailAddress, subject: 'Reset', body, sentMs: nowMs });
  const actor = { projectId, sessionId: null, requestId: 'victims request', clientAddress: '203.0.113.7' };
  const idsAndClock = { newId: () => id, now: () => nowMs };
  await writeAudit(idsAndClock, people, { actor, act: 'signIn', accountId });
}

async function storeEvent({ clickhouse }: StoredWorld, { projectId, player, nowMs }: Planted): Promise<void> {
  const newId = () => createRecordId(nowMs, randomBytes);
  const ids = { event_id: newId(), chunk_id: newId() };
  const times = { received: '2026-11-20 12:00:00.000', occurred: '2020-01-02 12:00:00.000' };
  const sent = {
    project: projectId,
    type: 'victims_type',
    version: 1,
    account_id: player.accountId,
    session_id: player.session.id,
    client_address: '203.0.113.7',
    key_kind: 'public',
  };
  const data = { level: 3, character: 'victims ranger', nick: 'victims nick' };
  const row = JSON.stringify({ ...sent, ...ids, ...times, data });
  await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${row}`);
}

interface Aim {
  /** The values of path parameters. */
  readonly named: Readonly<Record<string, string>>;
  readonly player: PlayerOfTest;
  readonly sampleId: string;
  readonly dashboardId: string;
  readonly key: string | undefined;
}

function firstExample(operation: Operation, { named, player, sampleId, dashboardId, key }: Aim): ConsoleCall {
  const { method, path } = operation;
  const [example] = operation.examples;
  const names: Readonly<Record<string, string>> = {
    ...named,
    ...(path.startsWith('/v1/event-types') && { name: 'victims_type' }),
    ...(path.startsWith('/v1/players') && { accountId: player.accountId }),
    ...(path.startsWith('/v1/quarantine') && { id: sampleId }),
    ...(path.startsWith('/v1/dashboards') && { id: dashboardId }),
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name] ?? String(example?.params?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(example?.query ?? {}).map(([name, value]) => [name, `${value}`]),
  );
  query.delete('cursor');
  return {
    method,
    path: `${filled}?${query}`,
    key,
    ...(example?.body !== undefined && { body: example.body }),
  };
}
