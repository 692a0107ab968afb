import { errorCatalogue, renderDocumentPage } from '@tickrate/contract';
import { lintDescriptions, lintOpenApi, lintPage } from '@tickrate/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { sessionOperations } from '../testing/auth-world.ts';
import { createSessionDocument } from './session-document.ts';

describe('the document of the session API', () => {
  const document = createSessionDocument(sessionOperations);
  const schemas = new Ajv2020({ strict: false, validateFormats: false, allowUnionTypes: true });
  schemas.addSchema({ ...document, $id: 'document' });
  const bodyOf = (path: string, method: string) => {
    const at = `/2018-03-24/${path}`.replaceAll('/', '~1');
    const place = `paths/${at}/${method}/requestBody/content/application~1json/schema`;
    const validate = schemas.getSchema(`document#/${place}`);
    if (validate === undefined) throw new Error(`There is no ${place}`);
    return (body: unknown) => validate(body) === true;
  };

  test('passes an independent linter', async () => {
    expect(await lintOpenApi(document)).toEqual([]);
  });

  test('describes every answer correctly for a generated client', () => {
    expect(lintDescriptions(document)).toEqual([]);
  });

  test('has a page without faults, with every error sentence', () => {
    const page = renderDocumentPage(document);
    expect(lintPage(page)).toEqual([]);
    expect(page).toContain(errorCatalogue.temporarilyUnavailable.message);
  });

  test('allows the bodies of original clients: empty texts, and null for a missing value', () => {
    const isAllowed = bodyOf('authenticate', 'put');
    const nothing = {
      emailAddress: '',
      passwordHash: '',
      marketingPreferenceOptIn: null,
      requestedRole: '',
      promptForProject: null,
      projectId: '',
      exchangeId: '',
      intent: '',
      linkDecision: null,
      tokens: { steamTokens: [], itchIoTokens: null, discordTokens: [null], deviceTestTokens: [] },
      registration: { displayName: null, locale: '', acceptedTerms: [{ id: '', version: null }] },
      twoFactor: {
        deviceIdentifier: '',
        deviceIdentifierFriendlyName: null,
        twoFactorCode: '',
        trustThisDevice: null,
      },
    };
    expect(isAllowed(nothing)).toBe(true);
    expect(isAllowed({ tokens: null, twoFactor: null, registration: null, intent: null })).toBe(true);
    const flags = { promptForProject: '', marketingPreferenceOptIn: '', metered: '' };
    expect(isAllowed({ ...nothing, ...flags, twoFactor: { trustThisDevice: '' } })).toBe(true);
    expect(isAllowed({ ...nothing, passwordHash: 'abc' })).toBe(false);
    expect(isAllowed({ ...nothing, intent: 'loggin' })).toBe(false);
    expect(isAllowed({ ...nothing, metered: 'yes' })).toBe(false);
  });

  test.each([
    ['authenticate/switch', 'put', { projectId: 'p-1' }, 'projectId'],
    ['account/email', 'put', { emailAddress: 'bo@example.com' }, 'emailAddress'],
    ['account/email/verify', 'post', { token: 'x', password: null, passwordHash: '' }, 'token'],
    ['account/password', 'put', { password: 'x', currentPassword: '' }, 'password'],
    ['account/twofactor', 'post', { twoFactorCode: '123456' }, 'twoFactorCode'],
    ['password/reset', 'post', { emailAddress: 'bo@example.com', requestedRole: null }, 'emailAddress'],
    ['password/reset', 'put', { token: 'x', passwordHash: 'ab'.repeat(32) }, 'token'],
  ])('%s, %s: marks a required member', (path, method, body, member) => {
    const isAllowed = bodyOf(path, method);
    expect(isAllowed(body)).toBe(true);
    expect(isAllowed({ ...body, [member]: undefined })).toBe(false);
    expect(isAllowed({ ...body, [member]: '' })).toBe(false);
    expect(isAllowed({ ...body, [member]: null })).toBe(false);
  });

  test('accepts a new password in two forms', () => {
    const isAllowed = bodyOf('password/reset', 'put');
    expect(isAllowed({ token: 'x' })).toBe(false);
    expect(isAllowed({ token: 'x', password: '' })).toBe(false);
    expect(isAllowed({ token: 'x', password: 'x' })).toBe(true);
  });
});
