import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type CompiledDeclaration,
  compareDeclarations,
  type DeclarationChange,
  type DeclarationFault,
  readAcceptedDeclaration,
  ViewBudget,
} from '@tickrate/events';
import { type Kysely, sql, type Transaction } from 'kysely';
import { projectNotFound } from '../projects/projects.ts';
import { canonicalJson } from '../store/canonical-json.ts';
import { checkText } from '../store/check-text.ts';
import { violatedConstraint } from '../store/database-fault.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { isEventTypeName } from './event-type-name.ts';
import type { WeighingThread } from './weighing-thread.ts';

export interface DeclareRequest {
  readonly projectId: string;
  readonly name: string;
  /** A JSON Schema document in the profile. */
  readonly declaration: unknown;
  /** The description of the type. If absent, it does not change. */
  readonly description?: string | null;
  /** Reject a version that is not compatible with the newest one. */
  readonly compatibleOnly?: boolean;
  /** Return the result without writing. */
  readonly dryRun?: boolean;
}

export type DeclareResult =
  | {
      readonly ok: true;
      readonly version: number;
      /** The newest version already has this declaration: `version` is its number. */
      readonly unchanged: boolean;
      /** Compared with the previous version. Empty for the first version. */
      readonly changes: readonly DeclarationChange[];
    }
  | { readonly ok: false; readonly reason: 'invalidName' }
  | { readonly ok: false; readonly reason: 'declarationFaults'; readonly faults: readonly DeclarationFault[] }
  | { readonly ok: false; readonly reason: 'breaking'; readonly changes: readonly DeclarationChange[] };

interface Deps {
  readonly database: Kysely<RegistryDatabase>;
  readonly now: () => number;
  readonly weighing: Pick<WeighingThread, 'weigh'>;
}

interface Candidate {
  readonly request: DeclareRequest;
  readonly compiled: CompiledDeclaration;
  readonly fingerprint: Buffer;
}

/** A view shows the members of all versions, so reading one version requires all of them. */
const versionsBytesAtMost = 2 * 1024 * 1024;
const bytesOfAll = sql<string>`sum(octet_length(declaration::text)) OVER ()`;
const tooManyVersions: DeclareResult = {
  ok: false,
  reason: 'declarationFaults',
  faults: [
    {
      pointer: '',
      keyword: '',
      message: `all versions of a type are at most ${versionsBytesAtMost} bytes long: declare a new type`,
    },
  ],
};

type Database = Kysely<RegistryDatabase> | Transaction<RegistryDatabase>;

/** Declarations of one type run one at a time: they hold the lock on the type's row until the version is committed. */
export async function declareEventType(deps: Deps, request: DeclareRequest): Promise<DeclareResult> {
  if (!isEventTypeName(request.name)) return { ok: false, reason: 'invalidName' };
  if (request.description) checkText('description', request.description, 10_000);
  const result = readAcceptedDeclaration(request.declaration);
  const faults = result.ok
    ? await deps.weighing.weigh(request.projectId, result.declaration.patterns)
    : result.faults;
  if (!result.ok || faults.length > 0) return { ok: false, reason: 'declarationFaults', faults };
  const fingerprint = createHash('sha256').update(canonicalJson(request.declaration)).digest();
  const candidate: Candidate = { request, compiled: result.declaration, fingerprint };

  if (request.dryRun) {
    await requireProject(deps.database, request.projectId);
    return decide(deps.database, candidate);
  }
  return deps.database.transaction().execute(async (database) => {
    await lockType({ ...deps, database }, request);
    const decision = await decide(database, candidate);
    if (decision.ok) await describe(database, request);
    if (decision.ok && !decision.unchanged) {
      await insertVersion({ ...deps, database }, { ...candidate, version: decision.version });
    }
    return decision;
  });
}

async function decide(
  database: Database,
  { request, compiled, fingerprint }: Candidate,
): Promise<DeclareResult> {
  const newest = await database
    .selectFrom('registry.event_type_versions')
    .select(['version', 'fingerprint', 'declaration', bytesOfAll.as('bytes')])
    .where('project_id', '=', request.projectId)
    .where('name', '=', request.name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!newest) return { ok: true, version: 1, unchanged: false, changes: [] };
  if (Number(newest.bytes) > versionsBytesAtMost) return tooManyVersions;
  if (newest.fingerprint.equals(fingerprint)) {
    return { ok: true, version: newest.version, unchanged: true, changes: [] };
  }
  const tooMuch = await findTooMuch(database, { request, compiled });
  if (tooMuch !== null) return tooLargeView(tooMuch);
  const before = readAcceptedDeclaration(newest.declaration);
  if (!before.ok) throw new Error(`Version ${newest.version} of ${request.name} is no longer accepted`);
  const changes = compareDeclarations(before.declaration, compiled);
  if (request.compatibleOnly && changes.some((change) => change.kind === 'breaking')) {
    return { ok: false, reason: 'breaking', changes };
  }
  return { ok: true, version: newest.version + 1, unchanged: false, changes };
}

/** The pointer of the member that the view over all versions could not show as well. Reads the versions in turns. */
async function findTooMuch(
  database: Database,
  { request, compiled }: Pick<Candidate, 'request' | 'compiled'>,
): Promise<string | null> {
  const versions = await database
    .selectFrom('registry.event_type_versions')
    .select(['version', 'declaration'])
    .where('project_id', '=', request.projectId)
    .where('name', '=', request.name)
    .execute();
  const budget = new ViewBudget();
  for (const { version, declaration } of versions) {
    const read = readAcceptedDeclaration(declaration);
    if (!read.ok) throw new Error(`Version ${version} of ${request.name} is not accepted any more`);
    // Declared before: what passes a limit is the new one.
    budget.take(read.declaration.columns);
    await setImmediate();
  }
  return budget.take(compiled.columns);
}

function tooLargeView(pointer: string): DeclareResult {
  const message = 'is too much for the view that shows the members of all versions: declare a new type';
  return { ok: false, reason: 'declarationFaults', faults: [{ pointer, keyword: '', message }] };
}

async function requireProject(database: Database, projectId: string): Promise<void> {
  const row = await database
    .selectFrom('registry.projects')
    .select('id')
    .where('id', '=', projectId)
    .executeTakeFirst();
  if (!row) throw projectNotFound(projectId);
}

interface Writing {
  readonly database: Transaction<RegistryDatabase>;
  readonly now: () => number;
}

async function lockType({ database, now }: Writing, { projectId, name }: DeclareRequest): Promise<void> {
  await database
    .insertInto('registry.event_types')
    .values({ project_id: projectId, name, description: null, created: new Date(now()) })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .execute()
    .catch((error: unknown) => {
      throw violatedConstraint(error, '23503') === null ? error : projectNotFound(projectId);
    });
  await database
    .selectFrom('registry.event_types')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function describe(database: Database, { projectId, name, description }: DeclareRequest): Promise<void> {
  if (description === undefined) return;
  await database
    .updateTable('registry.event_types')
    .set({ description })
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .where('description', 'is distinct from', description)
    .execute();
}

async function insertVersion(
  { database, now }: Writing,
  { request, fingerprint, version }: Candidate & { version: number },
): Promise<void> {
  await database
    .insertInto('registry.event_type_versions')
    .values({
      project_id: request.projectId,
      name: request.name,
      version,
      status: 'available',
      declaration: JSON.stringify(request.declaration),
      fingerprint,
      created: new Date(now()),
    })
    .execute();
}
