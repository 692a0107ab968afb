import type { Permission } from '../../components/states/permissions.tsx';
import { oneOf, searchReader, textTo } from '../../layout/search-reader.ts';

/** The parts in their order. A role without the permission does not see the part. */
export const partScopes = {
  project: 'projects:read',
  keys: 'keys:read',
  members: 'members:read',
  roles: 'members:read',
  signIn: 'policies:read',
  limits: 'policies:read',
  mails: 'outbox:read',
  erasures: 'players:read',
  audit: 'audit:read',
} as const satisfies Readonly<Record<string, Permission>>;
export type SettingsPart = keyof typeof partScopes;
export const settingsParts = Object.keys(partScopes) as SettingsPart[];

export const auditKinds = ['management', 'signIn', 'all'] as const;

export const readSettingsSearch = searchReader({
  part: (value: unknown): SettingsPart => settingsParts.find((name) => name === value) ?? 'project',
  // Filters of the audit.
  act: textTo(100),
  kind: oneOf(auditKinds),
  account: textTo(200),
});
export type SettingsSearch = ReturnType<typeof readSettingsSearch>;
