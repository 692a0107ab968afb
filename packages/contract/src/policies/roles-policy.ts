import Type from 'typebox';
import { createSchemaCheck } from '../json/schema-check.ts';
import { closedObject } from '../json/schema-shapes.ts';
import { builtInRoles, grantableScopes } from '../scopes.ts';

/** The policy `roles` of a project: its own roles by name, in addition to the built-in ones. */
export const rolesPolicySchema = Type.Object(
  {
    roles: Type.Record(
      Type.String({ pattern: `^(?!(?:${builtInRoles.join('|')})$)[a-z][a-z0-9-]{0,39}$` }),
      closedObject({ scopes: Type.Array(Type.Enum([...grantableScopes]), { maxItems: 50 }) }),
      { additionalProperties: false, maxProperties: 50 },
    ),
  },
  {
    additionalProperties: false,
    description: 'Roles of the project, in addition to owner, admin, analyst and viewer',
  },
);

const check = createSchemaCheck(rolesPolicySchema);

/** The scopes of each of the project's own roles. Unknown scopes grant nothing. */
export function readRoles(policies: ReadonlyMap<string, object>): ReadonlyMap<string, readonly string[]> {
  const value: unknown = policies.get('roles');
  if (!check.accepts(value)) return new Map();
  return new Map(Object.entries(value.roles).map(([role, { scopes }]) => [role, scopes]));
}
