import { isPermitted, personalScope, systemError } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import type { TypedView } from '@tickrate/warehouse';
import type { Caller } from '../calls/caller.ts';
import { columnsOf } from './stored-columns.ts';

/** Types in which a query must hide personal data from the caller. Undefined if the caller has permission to see it. */
export async function maskedTypes(caller: Caller, registry: Registry): Promise<TypedView[] | undefined> {
  if (isPermitted(caller.scopes, personalScope)) return undefined;
  return viewsOf(caller.projectId, registry);
}

export async function viewsOf(projectId: string, registry: Registry): Promise<TypedView[]> {
  const types = await registry.eventTypes(projectId);
  return Array.fromAsync(types, async ({ name: typeName, description, versions }) => {
    const shown = await Array.fromAsync(versions, async (each) => {
      return { version: each.version, columns: await columnsOf([each]) };
    });
    return { projectId, typeName, description, versions: shown };
  });
}

/** The columns of an event beside its members, in SQL and in the API. A condition with such a name means the player. */
const personalColumns: ReadonlySet<string> = new Set([
  'account_id',
  'session_id',
  'client_address',
  'accountId',
  'sessionId',
  'clientAddress',
]);

/**
 * Throws 2006 if the caller lacks the scope and one of these members is personal in any type of the project, or is no declared
 * member and has the name of a personal column.
 */
export async function requirePersonal(
  caller: Caller,
  registry: Registry,
  members: ReadonlySet<string>,
): Promise<void> {
  if (members.size === 0 || isPermitted(caller.scopes, personalScope)) return;
  const types = await registry.eventTypes(caller.projectId);
  const columns = await columnsOf(types.flatMap(({ versions }) => versions));
  const isTouched = columns.some(({ personal, path }) => personal && touches(members, path));
  const isColumn = (member: string) =>
    personalColumns.has(member) && columns.every(({ path }) => path !== member);
  if (isTouched || [...members].some(isColumn))
    throw systemError('apiKeyScopeMissing', { parameterName: personalScope });
}

function touches(members: ReadonlySet<string>, path: string): boolean {
  return [...members].some(
    (member) => member === path || member.startsWith(`${path}.`) || path.startsWith(`${member}.`),
  );
}
