import type { Resource } from '@tickrate/contract';
import { defineTexts } from '../../../texts/define-texts.ts';

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
