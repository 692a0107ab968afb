import type { Words } from '../../../texts/define-texts.ts';
import type { areaTexts } from './area-texts.ts';

export const areaGerman: Words<typeof areaTexts> = {
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
};
