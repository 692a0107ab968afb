import type { Permission } from '../components/states/permissions.tsx';
import type { IconName } from '../look/icon.tsx';

/** The pages of the navigation, in their order. The key opens the page after `g`. */
export const pageList = [
  { id: 'overview', path: '/p/$projectId/overview', icon: 'layout-dashboard', key: 'o' },
  { id: 'live', path: '/p/$projectId/live', icon: 'radio', key: 'l' },
  { id: 'explore', path: '/p/$projectId/explore', icon: 'compass', key: 'e' },
  { id: 'sql', path: '/p/$projectId/sql', icon: 'terminal', key: 'q' },
  { id: 'dashboards', path: '/p/$projectId/dashboards', icon: 'layers', key: 'd' },
  { id: 'types', path: '/p/$projectId/types', icon: 'shapes', key: 't' },
  { id: 'quarantine', path: '/p/$projectId/quarantine', icon: 'shield-alert', key: 'u' },
  { id: 'players', path: '/p/$projectId/players', icon: 'users', key: 'p' },
  { id: 'pipeline', path: '/p/$projectId/pipeline', icon: 'workflow', key: 'i' },
  { id: 'settings', path: '/p/$projectId/settings', icon: 'settings', key: 's' },
] as const satisfies readonly PageEntry[];

export type PageId = (typeof pageList)[number]['id'];

interface PageEntry {
  readonly id: string;
  readonly path: string;
  readonly icon: IconName;
  readonly key: string;
}

/** A role without the scope does not see the page. A page that is not named here is for every role. */
const pageScopes: Readonly<Record<string, Permission>> = {
  overview: 'pipeline:read',
  live: 'queries:read',
  explore: 'queries:read',
  sql: 'queries:read',
  dashboards: 'queries:read',
  types: 'eventTypes:read',
  quarantine: 'quarantine:read',
  players: 'players:read',
  pipeline: 'pipeline:read',
  settings: 'projects:read',
};

/** The pages that a role sees. */
export function visiblePages(may: (needed: Permission) => boolean): readonly (typeof pageList)[number][] {
  return pageList.filter(({ id }) => {
    const scope = pageScopes[id];
    return scope === undefined || may(scope);
  });
}

/** Whether the time range changes what the page of an address shows. */
export function hasRange(path: string): boolean {
  const [, , , page = '', part] = path.split('/');
  if (page === 'dashboards' || page === 'players') return part !== undefined;
  return !['live', 'settings', 'account'].includes(page);
}

/** The page of the navigation to which an address belongs. */
export function pageAt(path: string): PageId | null {
  return pageList.find(({ id }) => id === path.split('/')[3])?.id ?? null;
}
