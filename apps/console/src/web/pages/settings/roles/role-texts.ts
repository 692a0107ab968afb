import type { Resource } from '@tickrate/contract';
import { defineTexts } from '../../../texts/define-texts.ts';

export const roleTexts = defineTexts('role', {
  help: 'What members may do in this project. The four built-in roles never change. A change of an own role applies from the next call of its members.',
  create: 'New role',
  nameHelp: 'Lower-case letters, digits and hyphens, such as support.',
  builtIn: 'built-in',
  own: 'own',
  none: 'None',
  read: 'Read',
  write: 'Read and write',
  personal: 'See personal data',
  personalHelp:
    'Members of events that a declaration marks as personal, and who a player is. Without it they are left out or masked.',
  builtInHelp: 'Built-in roles cannot be changed. Create an own role for other rights.',
  created: 'Role created',
  saved: 'Role saved',
  renameHelp: (count: string) => `Its members get the new name: ${count}.`,
  limits:
    'If its members lose rights, keys that they made lose these rights too, for good. Invitations and links end that they could no longer make.',
  removed: 'Role deleted',
  removeTitle: 'Delete this role?',
  removeHelp: (count: string) => `Members with this role: ${count}.`,
  replacement: 'Role that they get',
  invited: (count: string) =>
    `Open invitations name this role: ${count}. Withdraw them first, or the invited users can do nothing.`,
});

type Area = Resource | 'all';

/** What each area of the rights contains. An area without a text does not compile. */
export const areaTexts = defineTexts('area', {
  all: 'Also areas that later versions add',
  projects: 'Name and test mode. Writing also creates projects and plays the demo',
  members: 'Also invitations. Writing gives roles, up to the own rights',
  keys: 'Writing creates, rotates and revokes them, up to the own rights',
  eventTypes: 'Their declarations. Writing declares, deprecates and retires versions',
  policies: 'Sign-in, limits, retention and roles',
  players: 'Their identities and sessions. Writing bans, exports and erases them',
  quarantine: 'Rejected events. Writing replays and deletes them',
  pipeline: 'Overview and Pipeline: where accepted events are',
  queries: 'Explore, SQL, Live and dashboards. Writing saves and shares them',
  audit: 'Who changed what. With the right to read players, also who signed in',
  outbox: 'Mails that wait to be sent',
} satisfies Readonly<Record<Area, string>>);

export const areas = Object.keys(areaTexts.english) as readonly Area[];
