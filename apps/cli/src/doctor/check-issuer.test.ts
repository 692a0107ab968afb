import { findFreePort, startOidcServer } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { checkIssuer } from './check-issuer.ts';

const { issuer, stop } = await startOidcServer();
afterAll(stop);

test('a provider that answers with its name and the right time has no fault', async () => {
  const findings = await checkIssuer(issuer, Date.now);
  expect(findings.map(({ state }) => state)).toEqual(['good', 'good']);
  expect(await checkIssuer(null, Date.now)).toEqual([]);
});

test.each<[string, () => Promise<string> | string, string, string]>([
  ['another name', () => `${issuer}/`, `calls itself "${issuer}"`, 'to exactly this'],
  [
    'no server',
    async () => `http://127.0.0.1:${await findFreePort()}`,
    'ECONNREFUSED',
    'let this host reach it',
  ],
  [
    'no provider at this path',
    () => `${issuer}/realms/studio`,
    'it answered 404',
    'Correct ADMIN_OIDC_ISSUER',
  ],
])('%s is reported', async (_, given, found, advice) => {
  expect(await checkIssuer(await given(), Date.now)).toMatchObject([
    { state: 'bad', found: expect.stringContaining(found), advice: expect.stringContaining(advice) },
  ]);
});

test('a clock that is apart is reported', async () => {
  const [, clock] = await checkIssuer(issuer, () => Date.now() - 60_000);
  expect(clock).toMatchObject({ state: 'warning', advice: expect.stringContaining('NTP') });
});
