import { ownsInstallation } from '@tickrate/accounts';
import { type OperationAnswer, systemError } from '@tickrate/contract';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { requestDeletion } from '../projects/project-routes.ts';
import { demoOperations as operations } from './demo-operations.ts';

/** The simulated game is a process of its own: these calls only ask for it, and delete its project. */
export function createDemoRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { registry, accounts } = parts;
  const isOwner = async ({ accountId }: Caller) =>
    accountId !== null && (await ownsInstallation(accounts, accountId));

  /** Throws 2005: the demo uses the machine of all projects. */
  async function requireOwner(caller: Caller): Promise<void> {
    if (!(await isOwner(caller))) throw systemError('notPermitted');
  }

  async function show(caller: Caller) {
    const demo = await registry.demo();
    const isAllowed = await isOwner(caller);
    const { projectId = null, arrivedMs = null, sent = 0, expected = 0, tour = [] } = demo ?? {};
    const maySee = isAllowed || caller.projectId === projectId;
    return {
      state: stateOf(demo === null, projectId, arrivedMs),
      projectId: maySee ? projectId : null,
      isAllowed,
      sentEvents: sent,
      expectedEvents: expected,
      tour: maySee && projectId !== null ? tour : [],
    };
  }

  return [
    managed(operations.getDemo, ({ caller }) => show(caller)),
    managed(operations.startDemo, async ({ caller }) => {
      await requireOwner(caller);
      if ((await registry.demo()) === null) throw systemError('notPermitted');
      await registry.beginDemo();
      return show(caller);
    }),
    managed(operations.removeDemo, async ({ caller, context }) => {
      await requireOwner(caller);
      const demo = await registry.demo();
      const project = demo?.projectId ? await registry.project(demo.projectId) : null;
      if (project !== null) {
        const { id: projectId, name } = project;
        await requestDeletion(parts, { caller, projectId, name, context });
      }
      return show(caller);
    }),
  ];
}

function stateOf(
  isAway: boolean,
  projectId: string | null,
  arrivedMs: number | null,
): OperationAnswer<typeof operations.getDemo>['state'] {
  if (isAway) return 'notOffered';
  if (projectId === null) return 'absent';
  return arrivedMs === null ? 'arriving' : 'live';
}
