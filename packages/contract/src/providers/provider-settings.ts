import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { type OpenIdConnection, openIdSettingsSchema, resolveConnection } from './open-id-connection.ts';

const address = (standard: string) =>
  Type.Optional(Type.String({ pattern: '^https?://[^\\s?#]+$', maxLength: 512, default: standard }));
const id = Type.String({ pattern: '^\\d{1,20}$' });
const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,512}$' });
const closed = { additionalProperties: false } as const;

export const steamSettingsSchema = Type.Object(
  {
    publisherKey: secret,
    /** The ids of the game first, then of its demos and playtests. */
    appIds: Type.Array(id, { minItems: 1, maxItems: 8 }),
    /** The identity that the game passes to GetAuthTicketForWebApi. If it is set, tickets without it are rejected. */
    identity: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    familySharing: Type.Optional(Type.Enum(['allow', 'refuse'], { default: 'allow' })),
    /** Also reads the name and picture of the player. */
    profile: Type.Optional(Type.Boolean({ default: true })),
    address: address('https://partner.steam-api.com'),
  },
  closed,
);

export const itchIoSettingsSchema = Type.Object(
  {
    /** With both, the player must own the game. Without them, any itch.io user is accepted. */
    gameId: Type.Optional(id),
    developerKey: Type.Optional(secret),
    /** Accepts keys of OAuth applications, in addition to the tokens that the itch.io app passes to a game. */
    oauthKeys: Type.Optional(Type.Boolean({ default: true })),
    address: address('https://itch.io'),
  },
  { ...closed, dependentRequired: { gameId: ['developerKey'], developerKey: ['gameId'] } },
);

export const discordSettingsSchema = Type.Object(
  { applicationId: id, address: address('https://discord.com') },
  closed,
);

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
  const read = <T>(name: string, schema: TSchema): T | null =>
    readEntry<T>(given[name], schema, { at: `/${name}`, faults });
  const settings: ProviderSettings = {
    testMode,
    device: given['device'] === undefined || read<boolean>('device', Type.Boolean()) === true,
    steam: read<SteamSettings>('steam', steamSettingsSchema),
    itchIo: read<ItchIoSettings>('itchIo', itchIoSettingsSchema),
    discord: read<DiscordSettings>('discord', discordSettingsSchema),
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

function readEntry<T>(value: unknown, schema: TSchema, { at, faults }: Place): T | null {
  if (value === undefined || value === null) return null;
  const filled = Value.Default(schema, structuredClone(value));
  const found = Value.Errors(schema, filled);
  for (const { instancePath, message } of found) faults.push(`${at}${instancePath}: ${message}`);
  return found.length === 0 ? (filled as T) : null;
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
    const read = readEntry<Static<typeof openIdSettingsSchema>>(entry, openIdSettingsSchema, { at, faults });
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
