import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, call, everyPage } from '../../../api/call.ts';
import { Problem } from '../../../api/problem.ts';
import { useProjectId } from '../../../api/use-call.ts';
import { asObject } from '../policies/policy-values.ts';

export type Role = AnswerOf<'GET /v1/roles'>['results'][number];

interface RoleChange {
  /** The role before; null for a new one. */
  readonly before: string | null;
  /** The role after; null deletes it. */
  readonly after: { readonly name: string; readonly scopes: readonly string[] } | null;
  /** The role of its members when it is deleted. */
  readonly replacement?: string;
}

/**
 * Creates, changes, renames or deletes a role of the project. Its members move before the old name ends, so that no
 * member is ever without rights; a failure in between leaves both names.
 */
export function useRoleChange(onDone: () => void) {
  const projectId = useProjectId();
  const client = useQueryClient();
  return useMutation<void, Problem, RoleChange>({
    async mutationFn({ before, after, replacement }) {
      if (after !== null) {
        await edit((roles) => {
          if (after.name !== before && Object.hasOwn(roles, after.name)) throw nameInUse();
          return { ...roles, [after.name]: { scopes: [...after.scopes] } };
        });
      }
      if (before === null || before === after?.name) return;
      await moveMembers(before, after?.name ?? replacement ?? 'viewer');
      await edit((roles) => Object.fromEntries(Object.entries(roles).filter(([name]) => name !== before)));
    },
    async onSettled() {
      const changed = ['GET /v1/roles', 'GET /v1/members', 'GET /v1/policies/{name}'];
      await Promise.all(changed.map((each) => client.invalidateQueries({ queryKey: [projectId, each] })));
    },
    onSuccess: onDone,
  });

  async function edit(change: (roles: Readonly<Record<string, unknown>>) => object): Promise<void> {
    const params = { name: 'roles' as const };
    const { version, value } = await call('GET /v1/policies/{name}', { params, projectId });
    const roles = change(asObject(asObject(value)['roles']));
    await call('PUT /v1/policies/{name}', {
      params,
      body: { version, value: { roles } as BodyOf<'PUT /v1/policies/{name}'>['value'] },
      projectId,
    });
  }

  async function moveMembers(from: string, to: string): Promise<void> {
    const members = await everyPage((cursor) =>
      call('GET /v1/members', { query: { limit: 200, cursor }, projectId }),
    );
    for (const { accountId, version, role } of members) {
      if (role !== from) continue;
      const params = { accountId };
      await call('PATCH /v1/members/{accountId}', { params, body: { version, role: to }, projectId });
    }
  }
}

function nameInUse(): Problem {
  return new Problem({
    reason: 'objectAlreadyExists',
    status: 409,
    code: 3003,
    message: 'The object already exists',
    data: { parameterName: 'name' },
  });
}
