import type { SearchSchemaInput } from '@tanstack/react-router';

export const settingsParts = ['project', 'keys', 'members', 'signIn', 'limits', 'erasures', 'audit'] as const;
export type SettingsPart = (typeof settingsParts)[number];

export interface SettingsSearch {
  readonly part: SettingsPart;
}

export function readSettingsSearch(search: Partial<SettingsSearch> & SearchSchemaInput): SettingsSearch {
  return { part: settingsParts.find((name) => name === search.part) ?? 'project' };
}
