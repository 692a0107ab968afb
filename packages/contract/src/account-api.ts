import Type, { type Static } from 'typebox';
import { closedObject } from './json/schema-shapes.ts';
import { languageTagSchema } from './language-tag.ts';
import { shownTextFormat } from './printable.ts';

/* The request bodies of the account and session endpoints. As in a sign-in, null and "" mean "not given". */

const needed = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const text = (maxLength: number) => Type.Optional(needed(maxLength));
const onePassword = { anyOf: [{ required: ['password'] }, { required: ['passwordHash'] }] };
const passwordHash = Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }));

export const profileChangeSchema = closedObject({
  displayName: Type.Optional(Type.String({ minLength: 1, maxLength: 64, format: shownTextFormat })),
  locale: Type.Optional(languageTagSchema),
  marketingPreferenceOptIn: Type.Optional(Type.Boolean()),
});

export const passwordChangeSchema = Type.Object(
  {
    password: text(1024),
    passwordHash,
    currentPassword: text(1024),
    currentPasswordHash: passwordHash,
  },
  onePassword,
);
export type PasswordChange = Static<typeof passwordChangeSchema>;

export const addressSchema = Type.Object({ emailAddress: needed(512) });

/** Selects the password to set. The default is the player's or, if there is none, the administrator's. */
export const resetRequestSchema = Type.Object({ emailAddress: needed(512), requestedRole: text(200) });

const mailToken = { token: needed(200), password: text(1024), passwordHash };

/** A token from a mail, and the password if the token requires one. */
export const mailTokenSchema = Type.Object(mailToken);
/** The same, with the new password. */
export const passwordResetSchema = Type.Object(mailToken, onePassword);
export type MailTokenGiven = Static<typeof mailTokenSchema>;

/** Without it, an account with an address gets the code by mail. */
export const mailedCodeSchema = Type.Object({ twoFactorCode: text(200) });

export const codeSchema = Type.Object({ twoFactorCode: needed(200) });

export const switchSchema = Type.Object({ projectId: needed(200) });
