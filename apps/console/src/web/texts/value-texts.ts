import type { BuiltInRole, PolicyName, Resource } from '@tickrate/contract';
import { defineTexts } from './define-texts.ts';
import { reasonText } from './problem-texts.ts';

type Names = Readonly<Record<string, string>>;

/** A way to sign in, as `amr` of a session and `provider` of an identity name it. A connection has the name of its id. */
const methodIn = (names: Names) => (method: string) => named(names, method) ?? method.replace(/^openid:/, '');

/** A role that the project made has its own name. */
const roleIn = (names: Readonly<Record<BuiltInRole, string>>) => (role: string) => {
  const bare = role.replace(/^builtin:/, '');
  return named(names, bare) ?? bare;
};

const areaIn = (names: Readonly<Record<Resource | 'all' | 'personal', string>>) => (area: string) =>
  named(names, area) ?? area;

const policyIn = (names: Readonly<Record<PolicyName, string>>) => (policy: string) =>
  named(names, policy) ?? policy;

const statusIn =
  (names: Readonly<Record<'available' | 'deprecated' | 'retired', string>>) => (status: string) =>
    named(names, status) ?? status;

/** The words for a value that a server returns. A name that users chose stays as it is. */
export const valueTexts = defineTexts(
  {
    method: methodIn({
      pwd: 'password',
      otp: 'authenticator',
      recovery: 'recovery code',
      link: 'sign-in link',
      email: 'mail code',
      device: 'device',
      deviceTest: 'test device',
      steam: 'Steam',
      itchIo: 'itch.io',
      discord: 'Discord',
    }),
    role: roleIn({ owner: 'Owner', admin: 'Admin', analyst: 'Analyst', viewer: 'Viewer' }),
    area: areaIn({
      all: 'Everything',
      projects: 'Project',
      members: 'Members',
      keys: 'API keys',
      eventTypes: 'Event types',
      policies: 'Policies',
      players: 'Players',
      quarantine: 'Quarantine',
      pipeline: 'Pipeline',
      queries: 'Queries',
      audit: 'Audit',
      outbox: 'Mails',
      personal: 'Personal data',
    }),
    policy: policyIn({
      rates: 'Rates',
      quotas: 'Quotas',
      retention: 'Retention',
      erasure: 'Erasure',
      providers: 'Sign-in providers',
      sessions: 'How players sign in',
      roles: 'Roles',
    }),
    status: statusIn({ available: 'available', deprecated: 'deprecated', retired: 'retired' }),
    refusal: (reason: string) => reasonText(reason, 'en'),
    reads: (areas: string) => `Read: ${areas}`,
    writes: (areas: string) => `Write: ${areas}`,
    everything: 'Everything',
    noRights: 'None',
  },
  {
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
    area: areaIn({
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
    policy: policyIn({
      rates: 'Raten',
      quotas: 'Kontingente',
      retention: 'Aufbewahrung',
      erasure: 'Löschung',
      providers: 'Anmelde-Anbieter',
      sessions: 'Wie Spieler sich anmelden',
      roles: 'Rollen',
    }),
    status: statusIn({ available: 'verfügbar', deprecated: 'veraltet', retired: 'außer Betrieb' }),
    refusal: (reason) => reasonText(reason, 'de'),
    reads: (areas) => `Lesen: ${areas}`,
    writes: (areas) => `Schreiben: ${areas}`,
    everything: 'Alles',
    noRights: 'Keine',
  },
);

/** What the scopes of a key or a role permit, in a line. */
export function rightsText(scopes: readonly string[], texts: (typeof valueTexts)['en']): string {
  if (scopes.includes('all:write') && scopes.includes('personal:read')) return texts.everything;
  const areasWith = (action: string) =>
    scopes
      .filter((scope) => scope.endsWith(`:${action}`))
      .map((scope) => texts.area(scope.slice(0, scope.indexOf(':'))))
      .join(', ');
  const [writes, reads] = [areasWith('write'), areasWith('read')];
  const parts = [writes && texts.writes(writes), reads && texts.reads(reads)];
  return parts.filter((part) => part !== '').join(' · ') || texts.noRights;
}

function named(names: Names, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}
