import Type, { type Static, type TSchema } from 'typebox';
import { createSchemaCheck, type SchemaCheck } from '../json/schema-check.ts';
import { closedObject } from '../json/schema-shapes.ts';
import { type OpenIdConnection, openIdSettingsSchema, resolveConnection } from './open-id-connection.ts';

const address = (standard: string) =>
  Type.Optional(Type.String({ pattern: '^https?://[^\\s?#]+$', maxLength: 512, default: standard }));
const id = Type.String({ pattern: '^\\d{1,20}$' });
const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$' });

export const steamSettingsSchema = closedObject({
  publisherKey: secret,
  /** The ids of the game first, then of its demos and playtests. */
  appIds: Type.Array(id, { minItems: 1, maxItems: 8 }),
  /** The identity that the game passes to GetAuthTicketForWebApi. If it is set, tickets without it are rejected. */
  identity: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  familySharing: Type.Optional(Type.Enum(['allow', 'refuse'], { default: 'allow' })),
  /** Also reads the name and picture of the player. */
  profile: Type.Optional(Type.Boolean({ default: true })),
  address: address('https://partner.steam-api.com'),
});

export const itchIoSettingsSchema = closedObject(
  {
    /** With both, the player must own the game. Without them, any itch.io user is accepted. */
    gameId: Type.Optional(id),
    developerKey: Type.Optional(secret),
    /** Accepts keys of OAuth applications, in addition to the tokens that the itch.io app passes to a game. */
    oauthKeys: Type.Optional(Type.Boolean({ default: true })),
    address: address('https://itch.io'),
  },
  { dependentRequired: { gameId: ['developerKey'], developerKey: ['gameId'] } },
);

export const discordSettingsSchema = closedObject({
  applicationId: id,
  address: address('https://discord.com'),
});

export type SteamSettings = Required<Omit<Static<typeof steamSettingsSchema>, 'identity'>> & {
  readonly identity?: string;
};
export type ItchIoSettings = Required<Pick<Static<typeof itchIoSettingsSchema>, 'oauthKeys' | 'address'>> & {
  readonly gameId?: string;
  readonly developerKey?: string;
};
export type DiscordSettings = Required<Static<typeof discordSettingsSchema>>;

/** How a project verifies tokens. A provider that is null or absent is not configured. */
export interface ProviderSettings {
  readonly testMode: boolean;
  readonly device: boolean;
  readonly steam: SteamSettings | null;
  readonly itchIo: ItchIoSettings | null;
  readonly discord: DiscordSettings | null;
  readonly openId: ReadonlyMap<string, OpenIdConnection>;
}

export interface ReadSettings {
  readonly settings: ProviderSettings;
  /** The faults by path, never by value. Code that stores settings rejects them if there is a fault. */
  readonly faults: readonly string[];
}

/** They set the defaults of the schemas. */
const checks = {
  device: createSchemaCheck(Type.Boolean(), 'body'),
  steam: createSchemaCheck(steamSettingsSchema, 'body'),
  itchIo: createSchemaCheck(itchIoSettingsSchema, 'body'),
  discord: createSchemaCheck(discordSettingsSchema, 'body'),
  openId: createSchemaCheck(openIdSettingsSchema, 'body'),
} as const;
const known = ['device', 'steam', 'itchIo', 'discord', 'openId'];
const mostConnections = 100;

/** A provider with an invalid entry is not configured. The other providers work. */
export function readProviderSettings(
  value: unknown,
  { testMode }: { readonly testMode: boolean },
): ReadSettings {
  const faults: string[] = [];
  const given = asRecord(value ?? {}, { at: '', faults });
  for (const name of Object.keys(given)) if (!known.includes(name)) faults.push(`/${name}: unknown`);
  const read = <S extends TSchema>(name: string, check: SchemaCheck<S>) =>
    readEntry(given[name], check, { at: `/${name}`, faults });
  const settings: ProviderSettings = {
    testMode,
    device: given['device'] === undefined || read('device', checks.device) === true,
    steam: read('steam', checks.steam) as SteamSettings | null,
    itchIo: read('itchIo', checks.itchIo) as ItchIoSettings | null,
    discord: read('discord', checks.discord) as DiscordSettings | null,
    openId: readConnections(given['openId'] ?? {}, { testMode, faults }),
  };
  return { settings, faults };
}

/** An address that sign-in calls, and its place in the policy. */
export interface ProviderAddress {
  /** As in `openId.ours.issuers.0`. */
  readonly place: string;
  readonly address: string;
}

/** Every address that sign-in may call with these settings. An issuer is called only to find its keys. */
export function providerAddresses({ steam, itchIo, discord, openId }: ProviderSettings): ProviderAddress[] {
  const platforms = Object.entries({ steam, itchIo, discord }).flatMap(([name, settings]) =>
    settings === null ? [] : [{ place: `${name}.address`, address: settings.address }],
  );
  const connections = Array.from(openId, ([id, { jwksUri, issuers }]): ProviderAddress[] =>
    jwksUri === null
      ? issuers.map((address, at) => ({ place: `openId.${id}.issuers.${at}`, address }))
      : [{ place: `openId.${id}.jwksUri`, address: jwksUri }],
  );
  return [...platforms, ...connections.flat()];
}

interface Place {
  readonly at: string;
  readonly faults: string[];
}

function readEntry<S extends TSchema>(
  value: unknown,
  check: SchemaCheck<S>,
  { at, faults }: Place,
): Static<S> | null {
  if (value === undefined || value === null) return null;
  const filled: unknown = structuredClone(value);
  const fault = check.fault(filled);
  if (fault !== null) {
    faults.push(
      `${[at, ...fault.place.split('.')].filter((part) => part !== '').join('/')}: ${fault.message}`,
    );
    return null;
  }
  return filled as Static<S>;
}

function readConnections(
  value: unknown,
  { testMode, faults }: { readonly testMode: boolean; readonly faults: string[] },
): ReadonlyMap<string, OpenIdConnection> {
  const entries = Object.entries(asRecord(value, { at: '/openId', faults }));
  if (entries.length > mostConnections) faults.push(`/openId: more than ${mostConnections} connections`);
  const connections = entries.slice(0, mostConnections).flatMap(([connectionId, entry]) => {
    const at = `/openId/${connectionId}`;
    if (!/^[A-Za-z0-9._-]{1,100}$/.test(connectionId)) {
      faults.push(`${at}: not an id of a connection`);
      return [];
    }
    const read = readEntry(entry, checks.openId, { at, faults });
    if (read === null) return [];
    const resolved = resolveConnection(connectionId, read, { testMode });
    for (const fault of resolved.faults) faults.push(`${at}: ${fault}`);
    return resolved.faults.length === 0 ? [[connectionId, resolved.connection] as const] : [];
  });
  return new Map(connections);
}

function asRecord(value: unknown, { at, faults }: Place): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  faults.push(`${at}: not an object`);
  return {};
}
