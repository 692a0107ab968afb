/** Every page of a project: checked by axe in both themes, measured, and photographed. */
export const pages: readonly PageCase[] = [
  { name: 'overview', path: 'overview', heading: 'Overview' },
  { name: 'live', path: 'live', heading: 'Live' },
  { name: 'explore', path: 'explore?per=hour', heading: 'Explore' },
  { name: 'sql', path: 'sql', heading: 'SQL' },
  { name: 'dashboards', path: 'dashboards', heading: 'Dashboards' },
  { name: 'types', path: 'types', heading: 'Event types' },
  { name: 'type', path: 'types/level_up', heading: 'level_up' },
  { name: 'type-editor', path: 'types/level_up?edit=true', heading: 'Edit level_up' },
  { name: 'quarantine', path: 'quarantine?type=level_up&kind=rejected', heading: 'Quarantine' },
  { name: 'players', path: 'players', heading: 'Players' },
  { name: 'pipeline', path: 'pipeline', heading: 'Pipeline' },
  { name: 'settings', path: 'settings?part=keys', heading: 'Settings' },
  { name: 'settings-project', path: 'settings?part=project', heading: 'Settings' },
  { name: 'settings-members', path: 'settings?part=members', heading: 'Settings' },
  { name: 'settings-roles', path: 'settings?part=roles', heading: 'Settings' },
  { name: 'settings-audit', path: 'settings?part=audit', heading: 'Settings' },
  { name: 'settings-sign-in', path: 'settings?part=signIn', heading: 'Settings' },
  { name: 'settings-limits', path: 'settings?part=limits', heading: 'Settings' },
  { name: 'settings-mails', path: 'settings?part=mails', heading: 'Settings' },
  { name: 'settings-erasures', path: 'settings?part=erasures', heading: 'Settings' },
  { name: 'account', path: 'account', heading: 'Your account' },
];

export interface PageCase {
  readonly name: string;
  /** Below `/p/{projectId}/`. */
  readonly path: string;
  /** The page is there when this heading is. */
  readonly heading: string;
}

/** The links of the navigation, in the order in which the budgets follow them. */
export const links = [
  'Live',
  'Explore',
  'SQL',
  'Dashboards',
  'Event types',
  'Quarantine',
  'Players',
  'Pipeline',
  'Settings',
  'Overview',
] as const;
