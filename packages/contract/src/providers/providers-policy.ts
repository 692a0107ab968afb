import Type from 'typebox';
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
      'How the tokens of platforms are verified. Secrets are shown as ********, which an edit may send back',
  },
);

/** Stands for a secret that is not told. */
const hidden = '********';
const secrets = [
  ['steam', 'publisherKey'],
  ['itchIo', 'developerKey'],
] as const;

type Value = Readonly<Record<string, unknown>>;

/** What may be shown of the policy. */
export function hideProviderSecrets(value: Value): Value {
  return replaceSecrets(value, () => hidden);
}

/** The policy that an edit means: where a secret is sent back hidden, the stored one stays. */
export function keepProviderSecrets(value: Value, stored: Value | null): Value {
  return replaceSecrets(value, (secret, [provider, member]) =>
    secret === hidden ? memberOf(memberOf(stored, provider), member) : secret,
  );
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
