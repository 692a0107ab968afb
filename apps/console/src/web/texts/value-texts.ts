import type { BuiltInRole, PolicyName, Resource } from '@tickrate/contract';
import { defineTexts, type Words } from './define-texts.ts';

type Names = Readonly<Record<string, string>>;

/** A way to sign in, as `amr` of a session and `provider` of an identity name it. A connection has the name of its id. */
export const methodIn = (names: Names) => (method: string) =>
  named(names, method) ?? method.replace(/^openid:/, '');

/** A role that the project made has its own name. */
export const roleIn = (names: Readonly<Record<BuiltInRole, string>>) => (role: string) => {
  const bare = role.replace(/^builtin:/, '');
  return named(names, bare) ?? bare;
};

export type Area = Resource | 'all' | 'personal';
export type Status = 'available' | 'deprecated' | 'retired';

/** Each of these values has a name. A value of a newer server is shown as it is. */
export const nameIn =
  <V extends Area | Status | PolicyName>(names: Readonly<Record<V, string>>) =>
  (value: string) =>
    named(names, value) ?? value;

function named(names: Names, value: string): string | undefined {
  return Object.hasOwn(names, value) ? names[value] : undefined;
}

/** The words for a value that a server returns. A name that users chose stays as it is. */
export const valueTexts = defineTexts('value', {
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
  area: nameIn<Area>({
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
  policy: nameIn<PolicyName>({
    rates: 'Rates',
    quotas: 'Quotas',
    retention: 'Retention',
    erasure: 'Erasure',
    providers: 'Sign-in providers',
    sessions: 'How players sign in',
    roles: 'Roles',
  }),
  status: nameIn<Status>({ available: 'available', deprecated: 'deprecated', retired: 'retired' }),
  /** The outcome of an action in the trail, which has no sentence. */
  refusal: (reason: string) => reason.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  reads: (areas: string) => `Read: ${areas}`,
  writes: (areas: string) => `Write: ${areas}`,
  everything: 'Everything',
  noRights: 'None',
});

/** What the scopes of a key or a role permit, in a line. */
export function rightsText(scopes: readonly string[], texts: Words<typeof valueTexts>): string {
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
