import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { parameterInvalid } from '../system-error.ts';
import { openIdSettingsSchema } from './open-id-connection.ts';
import { discordSettingsSchema, itchIoSettingsSchema, steamSettingsSchema } from './provider-settings.ts';

/** The policy `providers` of a project. `readProviderSettings` defines its complete meaning. */
export const providersPolicySchema = Type.Object(
  {
    device: Type.Optional(Type.Boolean({ default: true })),
    steam: Type.Optional(steamSettingsSchema),
    itchIo: Type.Optional(itchIoSettingsSchema),
    discord: Type.Optional(discordSettingsSchema),
    openId: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9._-]{1,100}$' }), openIdSettingsSchema, {
        maxProperties: 100,
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'How platform tokens are verified. Secrets are shown as ********. An edit can send this back if it ' +
      'does not change where a secret is sent',
  },
);

/** Replaces a hidden secret. */
const hidden = '********';
const secrets = [
  ['steam', 'publisherKey'],
  ['itchIo', 'developerKey'],
] as const;
/** Members that do not affect who receives a secret, or for what. All other members do. */
const harmless: Readonly<Record<(typeof secrets)[number][0], readonly string[]>> = {
  steam: ['familySharing', 'profile'],
  itchIo: ['oauthKeys'],
};

type Value = Readonly<Record<string, unknown>>;
/** Receives a secret and its path, such as `steam.publisherKey`. */
type Seal = (text: string, place: string) => string;
type Open = (sealed: string, place: string) => string | null;

/** The policy in its stored form: `seal` replaces each plain secret. */
export function sealProviderSecrets(value: Value, seal: Seal): Value {
  return replaceSecrets(value, (secret, place) =>
    typeof secret === 'string' ? { sealed: seal(secret, place.join('.')) } : secret,
  );
}

/**
 * The policy as sign-in uses it: `open` reverses `seal`. Plain secrets stay, and so do those for which it returns null.
 */
export function openProviderSecrets(value: Value, open: Open): Value {
  return replaceSecrets(value, (secret, place) => {
    const sealed = sealedText(secret);
    return sealed === null ? secret : (open(sealed, place.join('.')) ?? secret);
  });
}

/** Each secret of the stored policy: its sealed form, or null if it is still plain. */
export function sealedProviderSecrets(value: Value): (string | null)[] {
  return secrets.flatMap(([provider, member]) => {
    const secret = memberOf(memberOf(value, provider), member);
    return secret === undefined ? [] : [sealedText(secret)];
  });
}

function sealedText(secret: unknown): string | null {
  const sealed = memberOf(secret, 'sealed');
  return typeof sealed === 'string' ? sealed : null;
}

export function hideProviderSecrets(value: Value): Value {
  return replaceSecrets(value, () => hidden);
}

/**
 * Applies an edit of the policy: a secret that is sent back hidden keeps its stored value. Throws 1003, which requires
 * the secret again, if any other member of the provider changed that can affect who receives it.
 */
export function keepProviderSecrets(value: Value, stored: Value | null): Value {
  return replaceSecrets(value, (secret, place) => {
    // Only stored secrets are sealed. A sealed value from outside could belong to another project.
    if (secret !== hidden) return sealedText(secret) === null ? secret : null;
    return keptSecret({ place, given: value[place[0]], before: memberOf(stored, place[0]) });
  });
}

function keptSecret(of: {
  readonly place: (typeof secrets)[number];
  readonly given: unknown;
  readonly before: unknown;
}): unknown {
  const { given, before } = of;
  const [provider, secret] = of.place;
  const kept = memberOf(before, secret);
  const name = `value.${provider}.${secret}`;
  if (kept === undefined) throw parameterInvalid(name, 'none is stored: send it');
  const own: readonly string[] = [secret, ...harmless[provider]];
  const changed = [...membersOf(given).union(membersOf(before))]
    .filter((member) => !own.includes(member))
    .find((member) => !isDeepStrictEqual(memberOf(given, member), memberOf(before, member)));
  if (changed !== undefined)
    throw parameterInvalid(name, `send it again, because ${changed.slice(0, 100)} has changed`);
  return kept;
}

function membersOf(value: unknown): Set<string> {
  return new Set(typeof value === 'object' && value !== null ? Object.keys(value) : []);
}

function replaceSecrets(
  value: Value,
  replace: (secret: unknown, place: (typeof secrets)[number]) => unknown,
): Value {
  const replaced: Record<string, unknown> = { ...value };
  for (const place of secrets) {
    const [provider, member] = place;
    const settings = replaced[provider];
    const secret = memberOf(settings, member);
    if (secret !== undefined)
      replaced[provider] = { ...(settings as object), [member]: replace(secret, place) };
  }
  return replaced;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Value)[name]
    : undefined;
}
