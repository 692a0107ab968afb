import type { Resource } from '@tickrate/contract';
import { defineTexts } from '../../../texts/define-texts.ts';

type Area = Resource | 'all';

/** What each area of the rights contains. An area without a text does not compile. */
export const areaTexts = defineTexts(
  {
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
  } satisfies Readonly<Record<Area, string>>,
  {
    all: 'Auch Bereiche späterer Versionen',
    projects: 'Name und Testmodus. Schreiben erstellt auch Projekte und spielt die Demo',
    members: 'Auch Einladungen. Schreiben vergibt Rollen, bis zu den eigenen Rechten',
    keys: 'Schreiben erstellt, erneuert und widerruft sie, bis zu den eigenen Rechten',
    eventTypes: 'Ihre Deklarationen. Schreiben deklariert Versionen, rät von ihnen ab und zieht sie zurück',
    policies: 'Anmeldung, Grenzen, Aufbewahrung und Rollen',
    players: 'Ihre Identitäten und Sitzungen. Schreiben sperrt, exportiert und löscht sie',
    quarantine: 'Abgewiesene Events. Schreiben holt sie nach und löscht sie',
    pipeline: 'Übersicht und Pipeline: wo angenommene Events sind',
    queries: 'Erkunden, SQL, Live und Dashboards. Schreiben speichert und teilt sie',
    audit: 'Wer was geändert hat. Mit dem Recht, Spieler zu lesen, auch wer sich anmeldete',
    outbox: 'Mails, die auf den Versand warten',
  },
);

export const areas = Object.keys(areaTexts.en) as readonly Area[];
