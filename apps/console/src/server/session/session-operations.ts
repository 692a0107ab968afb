import {
  accountSchema,
  addressSchema,
  authenticationRequestSchema,
  authenticationResponseSchema,
  closedObject,
  codeSchema,
  grantableScopes,
  mailedCodeSchema,
  mailTokenSchema,
  operationsOf,
  orNull,
  passwordChangeSchema,
  passwordResetSchema,
  profileChangeSchema,
  recoveryCodesSchema,
  sessionListSchema,
  sessionRecordSchema,
  studioProviderSchema,
  studioReturnSchema,
  studioVisitSchema,
  switchSchema,
  twoFactorSetupSchema,
} from '@tickrate/contract';
import Type from 'typebox';

/*
 * The calls of the console's own pages. They forward to auth and keep the key of the session in a cookie, so that no
 * script of a page ever holds it. They are not part of the management API and its document.
 */

const done = Type.Literal(true);

/** The session as pages see it: without its keys. */
const pageSessionSchema = Type.Omit(sessionRecordSchema, ['apiKey', 'secretKey'], {
  additionalProperties: false,
});
const pageAuthenticationSchema = closedObject({
  ...authenticationResponseSchema.properties,
  authenticatedSession: orNull(pageSessionSchema),
});

/** Every scope that the role grants, with those that others include: a page compares names, and guesses no rules. */
const permittedSessionSchema = closedObject({
  ...pageSessionSchema.properties,
  permissions: Type.Array(Type.Enum([...grantableScopes])),
});

export const sessionOperations = operationsOf({ tag: 'Session', keys: [], examples: [] })({
  signIn: {
    method: 'POST',
    path: '/session/exchange',
    summary: 'Take a step of the sign-in of an administrator; the last one sets the cookie',
    body: authenticationRequestSchema,
    answer: pageAuthenticationSchema,
  },
  readSignInProvider: {
    method: 'GET',
    path: '/session/provider',
    summary: 'Read which provider signs administrators in, and whether it is the only way',
    answer: studioProviderSchema,
  },
  visitSignInProvider: {
    method: 'POST',
    path: '/session/provider',
    summary: 'Begin a sign-in at the provider; returns its page',
    body: studioVisitSchema,
    answer: closedObject({ url: Type.String() }),
  },
  redeemProviderCode: {
    method: 'PUT',
    path: '/session/provider',
    summary: 'Exchange the code of the provider for the token that the exchange takes',
    body: studioReturnSchema,
    answer: closedObject({ connectionId: Type.String(), idToken: Type.String() }),
  },
  openSignInLink: {
    method: 'POST',
    path: '/session/link',
    summary: 'Sign in with a link of `npm start` or `tickrate sign-in-link`, once; sets the cookie',
    body: closedObject({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    answer: pageSessionSchema,
  },
  readPageSession: {
    method: 'GET',
    path: '/session',
    summary: 'Read the session, and what its role permits in its project',
    answer: permittedSessionSchema,
  },
  readAddresses: {
    method: 'GET',
    path: '/session/addresses',
    summary: 'Read the addresses that the pages show in their examples',
    answer: closedObject({ gateway: orNull(Type.String()) }),
  },
  readMailDelivery: {
    method: 'GET',
    path: '/session/mail',
    summary: 'Read whether mails with codes are sent, or stay in the outbox; works before signing in',
    answer: closedObject({ staysInOutbox: Type.Boolean() }),
  },
  renewPageSession: {
    method: 'POST',
    path: '/session',
    summary: 'Extend the session by an hour, up to its absolute end',
    answer: pageSessionSchema,
  },
  signOut: {
    method: 'DELETE',
    path: '/session',
    summary: 'End the session and delete the cookie',
    answer: done,
  },
  openProject: {
    method: 'PUT',
    path: '/session/project',
    summary: 'Move the session to another project of the account',
    body: switchSchema,
    answer: pageAuthenticationSchema,
  },
  listOwnSessions: {
    method: 'GET',
    path: '/session/all',
    summary: 'List the sessions of the account',
    answer: sessionListSchema,
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/session/sessions/{id}',
    summary: 'End one session of the account',
    params: closedObject({ id: Type.String({ maxLength: 64 }) }),
    answer: done,
  },
  endOtherPageSessions: {
    method: 'DELETE',
    path: '/session/others',
    summary: 'End all other sessions of the account',
    answer: closedObject({ ended: Type.Integer({ minimum: 0 }) }),
  },
  readOwnAccount: {
    method: 'GET',
    path: '/session/account',
    summary: 'Read the account',
    answer: accountSchema,
  },
  editOwnAccount: {
    method: 'PATCH',
    path: '/session/account',
    summary: 'Edit the profile',
    body: profileChangeSchema,
    answer: accountSchema,
  },
  changeOwnPassword: {
    method: 'PUT',
    path: '/session/account/password',
    summary: 'Change the password',
    body: passwordChangeSchema,
    answer: done,
  },
  changeOwnEmail: {
    method: 'PUT',
    path: '/session/account/email',
    summary: 'Change the e-mail address',
    body: addressSchema,
    answer: done,
  },
  verifyOwnEmail: {
    method: 'POST',
    path: '/session/account/email/verify',
    summary: 'Confirm an e-mail address with the code of the mail',
    body: mailTokenSchema,
    answer: done,
  },
  beginOwnTwoFactor: {
    method: 'PUT',
    path: '/session/account/twofactor',
    summary: 'Begin to set up a second factor',
    body: mailedCodeSchema,
    bodyOptional: true,
    answer: twoFactorSetupSchema,
  },
  confirmOwnTwoFactor: {
    method: 'POST',
    path: '/session/account/twofactor',
    summary: 'Confirm the second factor with a code',
    body: codeSchema,
    answer: recoveryCodesSchema,
  },
  removeOwnTwoFactor: {
    method: 'DELETE',
    path: '/session/account/twofactor',
    summary: 'Remove the second factor',
    answer: done,
  },
  requestOwnReset: {
    method: 'POST',
    path: '/session/password-reset',
    summary: 'Request a mail to reset the password of an administrator',
    body: addressSchema,
    answer: done,
  },
  resetOwnPassword: {
    method: 'PUT',
    path: '/session/password-reset',
    summary: 'Set a password with the code of the mail',
    body: passwordResetSchema,
    answer: done,
  },
});
