import { systemError } from '@tickrate/contract';
import { type Project, projectVersion, type Registry } from '@tickrate/registry';
import Type from 'typebox';
import { type Caller, nameOf } from './caller.ts';
import { closed, timeOf } from './fields.ts';
import { showKey } from './key-routes.ts';
import { type ManagedRoute, managed } from './managed.ts';
import { readPage } from './pages.ts';
import { createProject, editProject, getProject, listProjects } from './project-operations.ts';

export interface ProjectRouteDeps {
  readonly registry: Pick<Registry, 'project' | 'editProject' | 'createProject' | 'createKey'>;
}

const place = Type.Object({ position: Type.Integer({ minimum: 0 }) }, closed);

export function createProjectRoutes({ registry }: ProjectRouteDeps): ManagedRoute[] {
  return [
    managed(listProjects, async ({ caller, query }) => {
      const ids = [caller.projectId];
      return readPage(query, {
        place,
        read: async (after, limit) => {
          const start = after === null ? 0 : after.position + 1;
          const found = await Promise.all(ids.slice(start, start + limit).map((id) => registry.project(id)));
          return found.flatMap((project, index) =>
            project === null ? [] : [{ project, position: start + index }],
          );
        },
        placeOf: ({ position }) => ({ position }),
        show: ({ project }) => showProject(project),
      });
    }),
    managed(getProject, async ({ caller, params }) => {
      requireCurrent(caller, params.projectId);
      const project = await registry.project(caller.projectId);
      if (project === null) throw systemError('notPermitted');
      return showProject(project);
    }),
    managed(editProject, async ({ caller, params, body }) => {
      requireCurrent(caller, params.projectId);
      return showProject(await registry.editProject({ projectId: caller.projectId, ...body }));
    }),
    managed(createProject, async ({ caller, body: { name, testMode = false } }) => {
      const project = await registry.createProject({ name, testMode });
      const { text, key } = await registry.createKey({
        ...{ projectId: project.id, kind: 'administrative', comment: 'The first key' },
        scopes: caller.scopes,
        createdBy: nameOf(caller),
      });
      return { project: showProject(project), text, key: showKey(key) };
    }),
  ];
}

/** Another's project is answered exactly like one that does not exist. */
function requireCurrent(caller: Caller, projectId: string): void {
  if (projectId !== caller.projectId) throw systemError('notPermitted');
}

function showProject(project: Project) {
  const { id, name, testMode, createdMs } = project;
  return { id, name, testMode, created: timeOf(createdMs), version: projectVersion(project) };
}
