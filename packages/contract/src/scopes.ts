/*
 * Permissions of a key or a role in the management API: `<resource>:read`, or `<resource>:write`, which includes
 * reading. `all` covers every resource, including future ones.
 */

export const resources = [
  'projects',
  'members',
  'keys',
  'eventTypes',
  'policies',
  'players',
  'quarantine',
  'pipeline',
  'queries',
  'audit',
  'outbox',
] as const;
export type Resource = (typeof resources)[number];

/** Required to read members that a declaration marks as personal. */
export const personalScope = 'personal:read';

export const grantableScopes: readonly string[] = [
  'all:read',
  'all:write',
  personalScope,
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
];

export const builtInRoles = ['owner', 'admin', 'analyst', 'viewer'] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

const scopesByRole: Readonly<Record<BuiltInRole, readonly string[]>> = {
  owner: ['all:write', personalScope],
  admin: [
    'projects:write',
    'members:write',
    'keys:write',
    'eventTypes:write',
    'policies:write',
    'players:write',
    'quarantine:write',
    'pipeline:write',
    'queries:write',
    'audit:read',
    'outbox:read',
    personalScope,
  ],
  analyst: ['projects:read', 'eventTypes:read', 'quarantine:read', 'pipeline:read', 'queries:write'],
  viewer: ['projects:read', 'eventTypes:read', 'pipeline:read', 'queries:read'],
};

/** The scopes of a built-in role, or null for any other name. */
export function scopesOfRole(role: string): readonly string[] | null {
  return builtInRoles.some((name) => name === role) ? scopesByRole[role as BuiltInRole] : null;
}

const rolePrefix = 'role:';

/** How the key of an administrator's session stores the role. */
export function scopeOfRole(role: string): string {
  return `${rolePrefix}${role}`;
}

/** Null for a player's session, which has no such role. */
export function roleIn(sessionScopes: readonly string[]): string | null {
  return sessionScopes.find((scope) => scope.startsWith(rolePrefix))?.slice(rolePrefix.length) ?? null;
}

/** Whether `scopes` permit a call that requires the given scope. */
export function isPermitted(scopes: readonly string[], needed: string): boolean {
  const [resource = '', action] = needed.split(':');
  if (scopes.includes(needed)) return true;
  if (needed === personalScope) return false;
  if (scopes.includes('all:write') || scopes.includes(`${resource}:write`)) return true;
  return action === 'read' && scopes.includes('all:read');
}

/** The most that two lists of scopes both permit, as few scopes as possible. */
export function commonScopes(scopes: readonly string[], others: readonly string[]): string[] {
  const common = [...new Set([...scopes, ...others, ...grantableScopes])].filter(
    (scope) => isPermitted(scopes, scope) && isPermitted(others, scope),
  );
  return common.filter((scope) => !common.some((more) => more !== scope && isPermitted([more], scope)));
}
