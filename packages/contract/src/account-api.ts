import Type, { type Static } from 'typebox';
import { languageTagSchema } from './language-tag.ts';

/* What the account and session endpoints take. As in a sign-in, null and "" mean "not given". */

const text = (maxLength: number) => Type.Optional(Type.String({ minLength: 1, maxLength }));
const passwordHash = Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }));

export const profileChangeSchema = Type.Object({
  displayName: text(64),
  locale: Type.Optional(languageTagSchema),
  marketingPreferenceOptIn: Type.Optional(Type.Boolean()),
});
export type ProfileChange = Static<typeof profileChangeSchema>;

export const passwordChangeSchema = Type.Object({
  password: text(1024),
  passwordHash,
  currentPassword: text(1024),
  currentPasswordHash: passwordHash,
});
export type PasswordChange = Static<typeof passwordChangeSchema>;

export const addressSchema = Type.Object({ emailAddress: text(512) });
export type AddressGiven = Static<typeof addressSchema>;

/** Whose password is to be set: an administrator's, or by default the player's, and where there is none an administrator's. */
export const resetRequestSchema = Type.Object({ emailAddress: text(512), requestedRole: text(200) });
export type ResetRequest = Static<typeof resetRequestSchema>;

/** A token from a mail, with the password that it is for. */
export const mailTokenSchema = Type.Object({ token: text(200), password: text(1024), passwordHash });
export type MailTokenGiven = Static<typeof mailTokenSchema>;

export const codeSchema = Type.Object({ twoFactorCode: text(200) });
export type CodeGiven = Static<typeof codeSchema>;

export const switchSchema = Type.Object({ projectId: text(200) });
export type SwitchGiven = Static<typeof switchSchema>;
