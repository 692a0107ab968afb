/*
 * What a key or a role may do with the management API: `<resource>:read` or `<resource>:write`, which includes reading.
 * `all` stands for every resource, also for those that are added later.
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

/** Members that a declaration marks as personal are shown to those who have this. */
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

/** What one of the built-in roles may do; null for any other name. */
export function scopesOfRole(role: string): readonly string[] | null {
  return builtInRoles.some((name) => name === role) ? scopesByRole[role as BuiltInRole] : null;
}

const rolePrefix = 'role:';

/** How the key of an administrator's session tells the role. */
export function scopeOfRole(role: string): string {
  return `${rolePrefix}${role}`;
}

/** Null for a player's session, which has no such role. */
export function roleIn(sessionScopes: readonly string[]): string | null {
  return sessionScopes.find((scope) => scope.startsWith(rolePrefix))?.slice(rolePrefix.length) ?? null;
}

/** Whether who has these scopes may do what asks for that one. */
export function isPermitted(scopes: readonly string[], needed: string): boolean {
  const [resource = '', action] = needed.split(':');
  if (scopes.includes(needed)) return true;
  if (needed === personalScope) return false;
  if (scopes.includes('all:write') || scopes.includes(`${resource}:write`)) return true;
  return action === 'read' && scopes.includes('all:read');
}
