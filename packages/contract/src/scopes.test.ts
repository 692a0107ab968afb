import { describe, expect, test } from 'vitest';
import { builtInRoles, grantableScopes, isPermitted, personalScope, scopesOfRole } from './scopes.ts';

describe('scopes', () => {
  test('writing includes reading, and not the other way round', () => {
    expect(isPermitted(['keys:write'], 'keys:read')).toBe(true);
    expect(isPermitted(['keys:read'], 'keys:write')).toBe(false);
    expect(isPermitted(['keys:write'], 'players:read')).toBe(false);
  });

  test('all covers every resource, but not personal data', () => {
    expect(isPermitted(['all:read'], 'quarantine:read')).toBe(true);
    expect(isPermitted(['all:read'], 'quarantine:write')).toBe(false);
    expect(isPermitted(['all:read'], 'all:write')).toBe(false);
    expect(isPermitted(['all:write'], 'quarantine:write')).toBe(true);
    expect(isPermitted(['all:write'], personalScope)).toBe(false);
    expect(isPermitted([personalScope], personalScope)).toBe(true);
  });

  test('each role has fewer scopes than the one before it, and only existing scopes', () => {
    const counts = builtInRoles.map((role) => {
      const scopes = scopesOfRole(role) ?? [];
      for (const scope of scopes) expect(grantableScopes).toContain(scope);
      return grantableScopes.filter((scope) => isPermitted(scopes, scope)).length;
    });
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(scopesOfRole('owner')?.includes('all:write')).toBe(true);
    expect(scopesOfRole('toString')).toBeNull();
  });
});
