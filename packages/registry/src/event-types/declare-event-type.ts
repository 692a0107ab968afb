import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { canonicalJson, objectNotFound } from '@tickrate/contract';
import {
  type CompiledDeclaration,
  compareDeclarations,
  type DeclarationChange,
  type DeclarationFault,
  type DeclarationResult,
  readAcceptedDeclaration,
  ViewBudget,
} from '@tickrate/events';
import { outcomeOf, type Postgres, type Queryable } from '@tickrate/postgres';
import { findProject } from '../projects/projects.ts';
import { checkText } from '../store/record-version.ts';
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
  readonly db: Postgres;
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

/** Declarations of one type run one at a time: they hold the lock on the type's row until the version is committed. */
export async function declareEventType(deps: Deps, request: DeclareRequest): Promise<DeclareResult> {
  if (!isEventTypeName(request.name)) return { ok: false, reason: 'invalidName' };
  if (request.description) checkText('description', request.description, 10_000);
  const result = await readNewDeclaration(deps, request);
  if (!result.ok) return { ok: false, reason: 'declarationFaults', faults: result.faults };
  const fingerprint = createHash('sha256').update(canonicalJson(request.declaration)).digest();
  const candidate: Candidate = { request, compiled: result.declaration, fingerprint };

  if (request.dryRun) {
    if ((await findProject(deps.db, request.projectId)) === null)
      throw objectNotFound('project', request.projectId);
    return decide(deps.db, candidate);
  }
  return deps.db.transaction(async (tx) => {
    await lockType({ ...deps, tx }, request);
    const decision = await decide(tx, candidate);
    if (decision.ok) await describe(tx, request);
    if (decision.ok && !decision.unchanged) {
      await insertVersion({ ...deps, tx }, { ...candidate, version: decision.version });
    }
    return decision;
  });
}

/** Reads a document that may be hostile. Its patterns are weighed on another thread. */
export async function readNewDeclaration(
  { weighing }: Pick<Deps, 'weighing'>,
  { projectId, declaration }: Pick<DeclareRequest, 'projectId' | 'declaration'>,
): Promise<DeclarationResult> {
  const result = readAcceptedDeclaration(declaration);
  if (!result.ok) return result;
  const faults = await weighing.weigh(projectId, result.declaration.patterns);
  return faults.length === 0 ? result : { ok: false, faults };
}

interface NewestRow {
  readonly version: number;
  readonly fingerprint: Buffer;
  readonly declaration: object;
  readonly bytes: string;
}

const selectNewest = `
SELECT version, fingerprint, declaration, sum(octet_length(declaration::text)) OVER () AS bytes
  FROM registry.event_type_versions WHERE project_id = $1 AND name = $2 ORDER BY version DESC LIMIT 1`;

async function decide(db: Queryable, { request, compiled, fingerprint }: Candidate): Promise<DeclareResult> {
  const [newest] = await db.query<NewestRow>(selectNewest, [request.projectId, request.name]);
  if (!newest) return { ok: true, version: 1, unchanged: false, changes: [] };
  if (Number(newest.bytes) > versionsBytesAtMost) return tooManyVersions;
  if (newest.fingerprint.equals(fingerprint)) {
    return { ok: true, version: newest.version, unchanged: true, changes: [] };
  }
  const tooMuch = await findTooMuch(db, { request, compiled });
  if (tooMuch !== null) return tooLargeView(tooMuch);
  const before = readAcceptedDeclaration(newest.declaration);
  if (!before.ok) throw new Error(`Version ${newest.version} of ${request.name} is no longer accepted`);
  const changes = compareDeclarations(before.declaration, compiled);
  if (request.compatibleOnly && changes.some((change) => change.kind === 'breaking')) {
    return { ok: false, reason: 'breaking', changes };
  }
  return { ok: true, version: newest.version + 1, unchanged: false, changes };
}

/** The pointer of a member that does not fit into a view of all versions. Reads one version at a time. */
async function findTooMuch(
  db: Queryable,
  { request, compiled }: Pick<Candidate, 'request' | 'compiled'>,
): Promise<string | null> {
  const versions = await db.query<Pick<NewestRow, 'version' | 'declaration'>>(
    'SELECT version, declaration FROM registry.event_type_versions WHERE project_id = $1 AND name = $2',
    [request.projectId, request.name],
  );
  const budget = new ViewBudget();
  for (const { version, declaration } of versions) {
    const read = readAcceptedDeclaration(declaration);
    if (!read.ok) throw new Error(`Version ${version} of ${request.name} is not accepted any more`);
    // Declared before, so the new version exceeds the limit.
    budget.take(read.declaration.columns);
    await setImmediate();
  }
  return budget.take(compiled.columns);
}

function tooLargeView(pointer: string): DeclareResult {
  const message = 'is too much for the view that shows the members of all versions: declare a new type';
  return { ok: false, reason: 'declarationFaults', faults: [{ pointer, keyword: '', message }] };
}

interface Writing {
  readonly tx: Queryable;
  readonly now: () => number;
}

async function lockType({ tx, now }: Writing, { projectId, name }: DeclareRequest): Promise<void> {
  await tx
    .query(
      `INSERT INTO registry.event_types (project_id, name, created) VALUES ($1, $2, $3)
       ON CONFLICT (project_id, name) DO NOTHING`,
      [projectId, name, new Date(now())],
    )
    .catch((error: unknown) => {
      throw outcomeOf(error) === 'foreignKeyViolation' ? objectNotFound('project', projectId) : error;
    });
  await tx.query('SELECT FROM registry.event_types WHERE project_id = $1 AND name = $2 FOR UPDATE', [
    projectId,
    name,
  ]);
}

async function describe(tx: Queryable, { projectId, name, description }: DeclareRequest): Promise<void> {
  if (description === undefined) return;
  await tx.query(
    `UPDATE registry.event_types SET description = $3
      WHERE project_id = $1 AND name = $2 AND description IS DISTINCT FROM $3`,
    [projectId, name, description],
  );
}

async function insertVersion(
  { tx, now }: Writing,
  { request, fingerprint, version }: Candidate & { version: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO registry.event_type_versions
       (project_id, name, version, status, declaration, fingerprint, created)
     VALUES ($1, $2, $3, 'available', $4, $5, $6)`,
    [
      request.projectId,
      request.name,
      version,
      JSON.stringify(request.declaration),
      fingerprint,
      new Date(now()),
    ],
  );
}
