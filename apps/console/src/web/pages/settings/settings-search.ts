import type { SearchSchemaInput } from '@tanstack/react-router';
import type { Permission } from '../../components/states/permissions.tsx';

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

export interface SettingsSearch {
  readonly part: SettingsPart;
  /** Filters of the audit. */
  readonly act?: string | undefined;
  readonly kind?: (typeof auditKinds)[number] | undefined;
  readonly account?: string | undefined;
}

export function readSettingsSearch(search: Partial<SettingsSearch> & SearchSchemaInput): SettingsSearch {
  const { act, kind, account } = search;
  return {
    part: settingsParts.find((name) => name === search.part) ?? 'project',
    act: typeof act === 'string' && act.length <= 100 ? act : undefined,
    kind: auditKinds.find((each) => each === kind),
    account: typeof account === 'string' && account.length <= 200 ? account : undefined,
  };
}
