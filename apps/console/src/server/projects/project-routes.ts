import {
  createOwnedProject,
  findAdministeredPage,
  findRole,
  leaveProject,
  ownsInstallation,
  scopesInProject,
} from '@tickrate/accounts';
import { closedObject, objectNotFound, systemError } from '@tickrate/contract';
import { type Erasure, erasureStatement } from '@tickrate/pipeline';
import type { RequestContext } from '@tickrate/platform';
import { type Project, projectVersion } from '@tickrate/registry';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { type Caller, makerOf, nameOf, requireScope } from '../calls/caller.ts';
import { projectId, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { showKey } from '../keys/key-routes.ts';
import { erasurePlace, showErasure } from '../privacy/privacy-routes.ts';
import { projectOperations as operations } from './project-operations.ts';

const place = closedObject({ createdMs: Type.Integer(), id: projectId });

/** A project that the caller cannot reach is not found, whether it exists or not. */
export function createProjectRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { registry } = parts;
  return [
    ...reading(parts),
    ...deleting(parts),
    managed(operations.editProject, async ({ caller, params, body }) => {
      if (params.projectId !== caller.projectId) throw objectNotFound('project', params.projectId);
      return showProject(await registry.editProject({ projectId: caller.projectId, ...body }));
    }),
    managed(operations.createProject, async ({ caller, body: { name, testMode = false } }) => {
      const { project, text, key } = await makeProject(parts, caller, { name, testMode });
      return { project: showProject(project), text, key: showKey(key) };
    }),
  ];
}

function reading({ registry, accounts }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.listProjects, ({ caller, query }) =>
      readPage(query, {
        place,
        read: async (after, limit) => {
          const { accountId } = caller;
          if (accountId !== null) return findAdministeredPage(accounts, { accountId, after, limit });
          const own = after === null ? await registry.project(caller.projectId) : null;
          return own === null ? [] : [own];
        },
        show: showProject,
      }),
    ),
    managed(operations.getProject, async ({ caller, params }) => {
      if (params.projectId !== caller.projectId) await requireRoleIn(params.projectId, caller);
      const project = await registry.project(params.projectId);
      if (project === null) throw objectNotFound('project', params.projectId);
      return showProject(project);
    }),
  ];

  /** A project in which the caller has no role returns 404, as if it did not exist. */
  async function requireRoleIn(other: string, caller: Caller): Promise<void> {
    const { accountId } = caller;
    const role = accountId === null ? null : await findRole(accounts, { accountId, projectId: other });
    if (role === null) throw objectNotFound('project', other);
    const scopes = (await scopesInProject(registry, other, role)) ?? [];
    requireScope({ ...caller, scopes }, 'projects:read');
  }
}

function deleting(parts: ConsoleParts): ManagedRoute[] {
  const { accounts, erasures } = parts;
  return [
    managed(operations.deleteProject, async ({ caller, params, body: { name }, context }) => {
      const { projectId } = params;
      if (projectId !== caller.projectId) throw objectNotFound('project', projectId);
      const id = await requestDeletion(parts, { caller, projectId, name, context });
      const deletion = await erasures.find(id);
      if (deletion === null) throw objectNotFound('project', projectId);
      return showDeletion(deletion);
    }),
    managed(operations.listDeletedProjects, async ({ caller: { accountId }, query }) => {
      const isOwner = accountId !== null && (await ownsInstallation(accounts, accountId));
      return readPage(query, {
        place: erasurePlace,
        read: (after, limit) => erasures.deletedProjects(isOwner ? null : accountId, { after, limit }),
        show: showDeletion,
      });
    }),
  ];
}

interface RequestedDeletion {
  readonly caller: Caller;
  readonly projectId: string;
  /** As the owner typed it. */
  readonly name: string;
  readonly context: Pick<RequestContext, 'requestId' | 'clientAddress'>;
}

/** In one transaction: the project ends, its members leave it, and the workers have the job to delete what is in it. */
export function requestDeletion(
  parts: ConsoleParts,
  { caller, projectId, name, context: { requestId, clientAddress } }: RequestedDeletion,
): Promise<string> {
  const { accountId, principal } = caller;
  return parts.accounts.transaction(async (tx) => {
    const role = accountId === null ? null : await findRole(tx, { accountId, projectId });
    if (accountId === null || role !== 'owner') throw systemError('notPermitted');
    await parts.registry.inTransaction(tx).endProject({ projectId, name });
    const actor = { accountId, sessionId: principal.sessionId, requestId, clientAddress };
    await leaveProject(parts, tx, { projectId, name, ...actor });
    const request = { projectId, accountId: null, mode: 'remove', requestedBy: accountId } as const;
    const { sql, values } = erasureStatement(parts.newId(), request);
    const [asked] = await tx.query<{ id: string }>(sql, values);
    if (asked === undefined) throw new Error('The deletion has no id');
    return asked.id;
  });
}

function showDeletion(erasure: Erasure) {
  return { ...showErasure(erasure), projectId: erasure.projectId };
}

/** Creates the project with its first key, or nothing. An administrator becomes its owner. */
function makeProject(
  { registry, accounts, now }: ConsoleParts,
  caller: Caller,
  request: { readonly name: string; readonly testMode: boolean },
) {
  const { accountId, scopes } = caller;
  return createOwnedProject(accounts, { accountId, nowMs: now() }, async (tx) => {
    const { createProject, createKey } = registry.inTransaction(tx);
    const project = await createProject(request);
    const first = { projectId: project.id, kind: 'administrative', comment: 'The first key' } as const;
    const by = { createdBy: nameOf(caller), parentId: makerOf(caller) };
    return { project, ...(await createKey({ ...first, scopes, ...by })) };
  });
}

function showProject(project: Project) {
  const { id, name, testMode, createdMs } = project;
  return { id, name, testMode, created: timeOf(createdMs), version: projectVersion(project) };
}
