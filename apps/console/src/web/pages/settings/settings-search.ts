import type { SearchSchemaInput } from '@tanstack/react-router';
import type { Permission } from '../../components/permissions.tsx';

export const settingsParts = ['project', 'keys', 'members', 'signIn', 'limits', 'erasures', 'audit'] as const;
export type SettingsPart = (typeof settingsParts)[number];

/** A role without it does not see the part. */
export const partScopes: Readonly<Record<SettingsPart, Permission>> = {
  project: 'projects:read',
  keys: 'keys:read',
  members: 'members:read',
  signIn: 'policies:read',
  limits: 'policies:read',
  erasures: 'players:read',
  audit: 'audit:read',
};

export interface SettingsSearch {
  readonly part: SettingsPart;
}

export function readSettingsSearch(search: Partial<SettingsSearch> & SearchSchemaInput): SettingsSearch {
  return { part: settingsParts.find((name) => name === search.part) ?? 'project' };
}
