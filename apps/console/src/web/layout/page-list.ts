import type { IconName } from '../look/icons.ts';

/** The pages of the navigation, in their order. The key opens the page after `g`. */
export const pageList = [
  { id: 'overview', path: '/p/$projectId/overview', icon: 'layout-dashboard', key: 'o' },
  { id: 'live', path: '/p/$projectId/live', icon: 'radio', key: 'l' },
  { id: 'explore', path: '/p/$projectId/explore', icon: 'compass', key: 'e' },
  { id: 'dashboards', path: '/p/$projectId/dashboards', icon: 'layers', key: 'd' },
  { id: 'types', path: '/p/$projectId/types', icon: 'shapes', key: 't' },
  { id: 'quarantine', path: '/p/$projectId/quarantine', icon: 'shield-alert', key: 'u' },
  { id: 'players', path: '/p/$projectId/players', icon: 'users', key: 'p' },
  { id: 'settings', path: '/p/$projectId/settings', icon: 'settings', key: 's' },
] as const satisfies readonly PageEntry[];

export type PageId = (typeof pageList)[number]['id'];

interface PageEntry {
  readonly id: string;
  readonly path: string;
  readonly icon: IconName;
  readonly key: string;
}
