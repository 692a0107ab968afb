import Type from 'typebox';
import { Value as Json } from 'typebox/value';
import { parameterInvalid } from '../system-error.ts';
import { openIdSettingsSchema } from './open-id-connection.ts';
import { discordSettingsSchema, itchIoSettingsSchema, steamSettingsSchema } from './provider-settings.ts';

/** The policy `providers` of a project. What it means in full is for `readProviderSettings` to say. */
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
      'How the tokens of platforms are verified. Secrets are shown as ********, which an edit may send back as long as it ' +
      'changes nothing that says where they go',
  },
);

/** Stands for a secret that is not told. */
const hidden = '********';
const secrets = [
  ['steam', 'publisherKey'],
  ['itchIo', 'developerKey'],
] as const;
/** What does not decide whom a secret is sent to, nor what for. Whatever is not named here does. */
const harmless: Readonly<Record<(typeof secrets)[number][0], readonly string[]>> = {
  steam: ['familySharing', 'profile'],
  itchIo: ['oauthKeys'],
};

type Value = Readonly<Record<string, unknown>>;
/** Of a secret and its place, as in `steam.publisherKey`. */
type Seal = (text: string, place: string) => string;
type Open = (sealed: string, place: string) => string | null;

/** The policy as it is stored: secrets that are still plain become what `seal` makes of them. */
export function sealProviderSecrets(value: Value, seal: Seal): Value {
  return replaceSecrets(value, (secret, place) =>
    typeof secret === 'string' ? { sealed: seal(secret, place.join('.')) } : secret,
  );
}

/** The policy as sign-in needs it: `open` undoes what `seal` did; plain secrets, and those it gives null for, stay. */
export function openProviderSecrets(value: Value, open: Open): Value {
  return replaceSecrets(value, (secret, place) => {
    const sealed = sealedText(secret);
    return sealed === null ? secret : (open(sealed, place.join('.')) ?? secret);
  });
}

/** Each secret of the stored policy: what was made of it, or null where it is still plain. */
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

/** What may be shown of the policy. */
export function hideProviderSecrets(value: Value): Value {
  return replaceSecrets(value, () => hidden);
}

/**
 * The policy that an edit means: where a secret is sent back hidden, the stored one stays. It stays where it was meant to go:
 * throws 1003, which asks for it again, when anything else of the provider has changed that is not known to be harmless.
 */
export function keepProviderSecrets(value: Value, stored: Value | null): Value {
  return replaceSecrets(value, (secret, place) => {
    // Only what is stored is sealed: from outside it would be somebody else's.
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
    .find((member) => !Json.Equal(memberOf(given, member), memberOf(before, member)));
  if (changed !== undefined)
    throw parameterInvalid(name, `send it again, since ${changed.slice(0, 100)} has changed`);
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
