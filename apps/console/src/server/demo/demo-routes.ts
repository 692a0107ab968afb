import { type Database, ownsInstallation } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { Caller } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { type Demo, type DemoStatus, pastEventCount } from './demo.ts';
import { getDemo, removeDemo, startDemo } from './demo-operations.ts';

export interface DemoRouteDeps {
  readonly demo: Pick<Demo, 'status' | 'begin' | 'remove'>;
  readonly accounts: Database;
}

export function createDemoRoutes({ demo, accounts }: DemoRouteDeps): ManagedRoute[] {
  return [
    managed(getDemo, async ({ caller }) => {
      const status = await demo.status();
      const isAllowed = await isOwner(accounts, caller);
      const maySee = isAllowed || caller.projectId === status.projectId;
      return shown(maySee ? status : { ...status, projectId: null, tour: [] }, isAllowed);
    }),
    managed(startDemo, async ({ caller }) => {
      await requireOwner(accounts, caller);
      return shown(await demo.begin(), true);
    }),
    managed(removeDemo, async ({ caller }) => {
      await requireOwner(accounts, caller);
      return shown(await demo.remove(), true);
    }),
  ];
}

async function isOwner(accounts: Database, { accountId }: Caller): Promise<boolean> {
  return accountId !== null && ownsInstallation(accounts, accountId);
}

/** Throws 2005: the demo uses the machine of all projects. */
async function requireOwner(accounts: Database, caller: Caller): Promise<void> {
  if (!(await isOwner(accounts, caller))) throw systemError('notPermitted');
}

function shown({ tour, ...status }: DemoStatus, isAllowed: boolean) {
  return { ...status, isAllowed, expectedEvents: pastEventCount, tour: tour.map((stop) => ({ ...stop })) };
}
