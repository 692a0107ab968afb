import {
  addMember,
  claimDefaultProject,
  holdRole,
  noteDefaultProject,
  type Queryable,
} from '@tickrate/accounts';
import { scopeOfRole } from '@tickrate/contract';
import type { Plan } from '../../exchange/decision.ts';
import { type Ground, installationRealm, type SignIn } from '../sign-in.ts';
import { SignInRaced } from '../sign-in-raced.ts';

export interface Place {
  readonly projectId: string;
  readonly scopes: readonly string[];
  readonly created: { readonly id: string; readonly name: string } | null;
}

/** Creates a project with a first public key, in the transaction. */
export type CreateProject = (
  tx: Queryable,
  name: string,
  createdBy: string,
) => Promise<{ readonly id: string; readonly name: string }>;

export type PlaceAdministrator = ReturnType<typeof createPlaceAdministrator>;

/** The project of the session and, for administrators, its permissions. */
export function createPlaceAdministrator(ground: Ground, createProject: CreateProject) {
  async function placeInDefault(tx: Queryable, accountId: string): Promise<Place> {
    // Concurrent requests of the same account wait at this claim, and find the project when they decide again.
    if (!(await claimDefaultProject(tx, accountId))) throw new SignInRaced();
    const created = await createProject(tx, 'My project', accountId);
    await addMember(tx, { accountId, projectId: created.id, role: 'owner', nowMs: ground.now() });
    await noteDefaultProject(tx, accountId, created.id);
    return { projectId: created.id, scopes: [scopeOfRole('owner')], created };
  }

  return async (
    tx: Queryable,
    { signIn, plan, accountId }: { readonly signIn: SignIn; readonly plan: Plan; readonly accountId: string },
  ): Promise<Place> => {
    if (plan.project.kind === 'default') return placeInDefault(tx, accountId);
    const projectId = plan.project.id;
    if (signIn.realm !== installationRealm) return { projectId, scopes: [], created: null };
    const role = await holdRole(tx, { accountId, projectId });
    if (role === null) throw new SignInRaced();
    return { projectId, scopes: [scopeOfRole(role)], created: null };
  };
}
