import type { Permission } from '../components/states/permissions.tsx';
import type { IconName } from '../look/icon.tsx';

/** The pages of the navigation, in their order. The key opens the page after `g`. A role without the scope does not see it. */
export const pageList = [
  { id: 'overview', icon: 'layout-dashboard', key: 'o', scope: 'pipeline:read' },
  { id: 'live', icon: 'radio', key: 'l', scope: 'queries:read' },
  { id: 'explore', icon: 'compass', key: 'e', scope: 'queries:read' },
  { id: 'sql', icon: 'terminal', key: 'q', scope: 'queries:read' },
  { id: 'dashboards', icon: 'layers', key: 'd', scope: 'queries:read' },
  { id: 'types', icon: 'shapes', key: 't', scope: 'eventTypes:read' },
  { id: 'quarantine', icon: 'shield-alert', key: 'u', scope: 'quarantine:read' },
  { id: 'players', icon: 'users', key: 'p', scope: 'players:read' },
  { id: 'pipeline', icon: 'workflow', key: 'i', scope: 'pipeline:read' },
  { id: 'settings', icon: 'settings', key: 's', scope: 'projects:read' },
] as const satisfies readonly { id: string; icon: IconName; key: string; scope: Permission }[];

export type PageId = (typeof pageList)[number]['id'];

export function visiblePages(may: (needed: Permission) => boolean): readonly (typeof pageList)[number][] {
  return pageList.filter(({ scope }) => may(scope));
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
