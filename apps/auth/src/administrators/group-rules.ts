import { type GroupRole, type RolePolicies, scopesInProject } from '@tickrate/accounts';
import { builtInRoles } from '@tickrate/contract';

interface GroupRule extends GroupRole {
  readonly group: string;
}

/** A group can contain `=` and `@`; a role and the id of a project cannot. */
const rule = /^(?<group>.+)=(?<role>[a-z][a-z0-9-]{0,39})(?:@(?<projectId>p-[a-z0-9]{12}))?$/;

/** Why a text is no rule, or null when it is: a check for configuration. */
export function checkGroupRule(text: string): string | null {
  const { role, projectId } = rule.exec(text)?.groups ?? {};
  if (role === undefined) return 'must be group=role or group=role@projectId, such as studio-admins=owner';
  if (projectId !== undefined || builtInRoles.some((name) => name === role)) return null;
  return `'${role}' is no role of all projects: use ${builtInRoles.join(', ')}, or name the project, such as group=${role}@p-…`;
}

/** The rules, in their order. Commas separate them, so a comma of a group is `%2C`. */
export function readGroupRules(texts: readonly string[]): GroupRule[] {
  return texts.map((text) => {
    const { group = '', role = '', projectId = null } = rule.exec(text)?.groups ?? {};
    return { group: group.replace(/%2c/gi, ','), role, projectId };
  });
}

interface Projects extends RolePolicies {
  projects(): Promise<readonly { readonly id: string }[]>;
}

/** The rules whose project or role does not exist, each with what is wrong. */
export async function findDeadRules(registry: Projects, texts: readonly string[]): Promise<string[]> {
  const ids = (await registry.projects()).map(({ id }) => id);
  const faults = await Promise.all(
    readGroupRules(texts).map(async ({ group, role, projectId }) => {
      if (projectId === null) return [];
      if (!ids.includes(projectId)) return [`${group}: there is no project ${projectId}`];
      const scopes = await scopesInProject(registry, projectId, role);
      return scopes === null ? [`${group}: the project ${projectId} has no role '${role}'`] : [];
    }),
  );
  return faults.flat();
}
