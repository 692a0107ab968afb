import { isPermitted, personalScope, systemError } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import type { Caller } from './caller.ts';
import { columnsOf } from './event-type-routes.ts';

export type PersonalRegistry = Pick<Registry, 'eventTypes'>;

/**
 * Throws 2006 when the project's events have personal members that the caller may not see, of these types or, when left
 * out, of any: SQL can get at every member in too many ways to hide some of them.
 */
export async function requirePersonal(
  caller: Caller,
  registry: PersonalRegistry,
  members?: ReadonlySet<string>,
): Promise<void> {
  if (isPermitted(caller.scopes, personalScope)) return;
  const types = await registry.eventTypes(caller.projectId);
  const columns = await columnsOf(types.flatMap(({ versions }) => versions));
  const hidden = columns.filter(({ personal }) => personal);
  const isTouched = hidden.some(({ path }) => members === undefined || touches(members, path));
  if (isTouched) throw systemError('apiKeyScopeMissing', { parameterName: personalScope });
}

function touches(members: ReadonlySet<string>, path: string): boolean {
  return [...members].some(
    (member) => member === path || member.startsWith(`${path}.`) || path.startsWith(`${member}.`),
  );
}
