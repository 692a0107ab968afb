import { createOwnedProject, type Database, findAdministeredPage, findRole } from '@tickrate/accounts';
import { type SystemError, systemError } from '@tickrate/contract';
import { type Project, projectVersion, type Registry } from '@tickrate/registry';
import Type from 'typebox';
import { type Caller, makerOf, nameOf, requireScope } from '../calls/caller.ts';
import { closed, projectId, timeOf } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { showKey } from '../keys/key-routes.ts';
import { scopesInProject } from '../members/roles-of-project.ts';
import { createProject, editProject, getProject, listProjects } from './project-operations.ts';

export interface ProjectRouteDeps {
  readonly registry: Pick<Registry, 'project' | 'editProject' | 'inTransaction' | 'policies'>;
  readonly accounts: Database;
  readonly now: () => number;
}

const place = Type.Object({ createdMs: Type.Integer(), id: projectId }, closed);

export function createProjectRoutes(deps: ProjectRouteDeps): ManagedRoute[] {
  const { registry } = deps;
  return [
    ...reading(deps),
    managed(editProject, async ({ caller, params, body }) => {
      if (params.projectId !== caller.projectId) throw projectNotFound(params.projectId);
      return showProject(await registry.editProject({ projectId: caller.projectId, ...body }));
    }),
    managed(createProject, async ({ caller, body: { name, testMode = false } }) => {
      const { project, text, key } = await makeProject(deps, caller, { name, testMode });
      return { project: showProject(project), text, key: showKey(key) };
    }),
  ];
}

function reading({ registry, accounts }: ProjectRouteDeps): ManagedRoute[] {
  return [
    managed(listProjects, ({ caller, query }) =>
      readPage(query, {
        place,
        read: async (after, limit) => {
          const { accountId } = caller;
          if (accountId !== null) return findAdministeredPage(accounts, { accountId, after, limit });
          const own = after === null ? await registry.project(caller.projectId) : null;
          return own === null ? [] : [own];
        },
        placeOf: ({ createdMs, id }) => ({ createdMs, id }),
        show: showProject,
      }),
    ),
    managed(getProject, async ({ caller, params }) => {
      if (params.projectId !== caller.projectId) await requireRoleIn(params.projectId, caller);
      const project = await registry.project(params.projectId);
      if (project === null) throw projectNotFound(params.projectId);
      return showProject(project);
    }),
  ];

  /** A project in which the caller has no role returns 404, as if it did not exist. */
  async function requireRoleIn(other: string, caller: Caller): Promise<void> {
    const { accountId } = caller;
    const role = accountId === null ? null : await findRole(accounts, { accountId, projectId: other });
    if (role === null) throw projectNotFound(other);
    const scopes = (await scopesInProject(registry, other, role)) ?? [];
    requireScope({ ...caller, scopes }, 'projects:read');
  }
}

/** Creates the project with its first key, or nothing. An administrator becomes its owner. */
function makeProject(
  { registry, accounts, now }: ProjectRouteDeps,
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

/** For every project that the caller cannot reach, whether it exists or not. */
function projectNotFound(invalidIdentifier: string): SystemError {
  return systemError('objectNotFound', { objectType: 'project', invalidIdentifier });
}

function showProject(project: Project) {
  const { id, name, testMode, createdMs } = project;
  return { id, name, testMode, created: timeOf(createdMs), version: projectVersion(project) };
}
