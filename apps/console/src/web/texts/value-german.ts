import type { PolicyName } from '@tickrate/contract';
import type { Words } from './define-texts.ts';
import { problemGerman } from './problem-german.ts';
import { type Area, methodIn, nameIn, roleIn, type Status, type valueTexts } from './value-texts.ts';

export const valueGerman: Words<typeof valueTexts> = {
  method: methodIn({
    pwd: 'Passwort',
    otp: 'Authenticator',
    recovery: 'Wiederherstellungscode',
    link: 'Anmelde-Link',
    email: 'Code aus der Mail',
    device: 'Gerät',
    deviceTest: 'Testgerät',
    steam: 'Steam',
    itchIo: 'itch.io',
    discord: 'Discord',
  }),
  role: roleIn({ owner: 'Eigentümer', admin: 'Admin', analyst: 'Analyst', viewer: 'Betrachter' }),
  area: nameIn<Area>({
    all: 'Alles',
    projects: 'Projekt',
    members: 'Mitglieder',
    keys: 'API-Schlüssel',
    eventTypes: 'Event-Typen',
    policies: 'Regeln',
    players: 'Spieler',
    quarantine: 'Quarantäne',
    pipeline: 'Pipeline',
    queries: 'Abfragen',
    audit: 'Protokoll',
    outbox: 'Mails',
    personal: 'Personenbezogene Daten',
  }),
  policy: nameIn<PolicyName>({
    rates: 'Raten',
    quotas: 'Kontingente',
    retention: 'Aufbewahrung',
    erasure: 'Löschung',
    providers: 'Anmelde-Anbieter',
    sessions: 'Wie Spieler sich anmelden',
    roles: 'Rollen',
  }),
  status: nameIn<Status>({ available: 'verfügbar', deprecated: 'veraltet', retired: 'außer Betrieb' }),
  refusal: (reason) => problemGerman(reason) ?? reason,
  reads: (areas) => `Lesen: ${areas}`,
  writes: (areas) => `Schreiben: ${areas}`,
  everything: 'Alles',
  noRights: 'Keine',
};
