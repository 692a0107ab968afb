import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApiKeyText } from '@tickrate/contract';
import { findFreePort } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { checkAddresses } from './check-addresses.ts';

const key = { key: 'tk_adm_x', keyFrom: 'TICKRATE_KEY', publicKey: null, sessionFile: null, processes: {} };

test.each([
  [401, 'TICKRATE_KEY is refused (401)', 'make a new key'],
  [403, 'TICKRATE_KEY is refused (403)', 'make a new key'],
  [503, 'cannot be tried (503)', 'must answer first'],
  [500, 'cannot be tried (500)', 'must answer first'],
])('an answer %d of the management API is explained for the key', async (status, found, advice) => {
  const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  const console = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  const findings = await checkAddresses({ ...key, console, gateway: null, auth: null }, Date.now);
  expect(findings.find(({ check }) => check === 'Key')).toMatchObject({
    state: 'bad',
    found,
    advice: expect.stringContaining(advice),
  });
});

test('a server that is away is reported with the reason', async () => {
  const console = `http://127.0.0.1:${await findFreePort()}`;
  const findings = await checkAddresses({ ...key, console, gateway: null, auth: null }, Date.now);
  expect(findings.find(({ check }) => check === 'console')?.found).toBe(`${console}: ECONNREFUSED`);
  expect(findings.find(({ check }) => check === 'Key')?.found).toBe('cannot be tried: ECONNREFUSED');
});

const away = { ...key, console: null, gateway: null, auth: null };
const find = async (place: Parameters<typeof checkAddresses>[0], check: string) =>
  (await checkAddresses(place, Date.now)).find((finding) => finding.check === check);

test('a public key in the place of the administrative one is reported with its right place', async () => {
  const place = { ...away, console: 'http://127.0.0.1:1', key: createApiKeyText('public', randomBytes) };
  expect(await find(place, 'Key')).toMatchObject({
    state: 'bad',
    found: expect.stringContaining('is a public key'),
    advice: expect.stringContaining('TICKRATE_PUBLIC_KEY'),
  });
});

test.each([
  ['good', 'is a public one', createApiKeyText('public', randomBytes)],
  ['bad', 'administrative', createApiKeyText('administrative', randomBytes)],
  ['bad', 'is no key', 'tk_pub_x'],
])('a public key is %s: %s', async (state, found, publicKey) => {
  const finding = await find({ ...away, publicKey }, 'Public key');
  expect(finding).toMatchObject({ state, found: expect.stringContaining(found) });
});

test('a public address in plain HTTP is reported, also one that the servers give to clients', async () => {
  // No name of the world outside: the check asks them.
  const announced = JSON.stringify({ events: 'http://events.invalid' });
  const server = createServer((_, response) => response.end(announced)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const bound = server.address();
  const gateway = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  expect(await find({ ...away, gateway }, 'TLS')).toMatchObject({
    state: 'bad',
    found: expect.stringMatching(/^http:\/\/events\.invalid: /),
    advice: expect.stringContaining('EVENTS_URL'),
  });
  const given = (await checkAddresses({ ...away, gateway }, Date.now)).filter(
    ({ check }) => check === 'Public address',
  );
  expect(given).toMatchObject([
    { state: 'warning', found: expect.stringMatching(/^http:\/\/events\.invalid does not answer/) },
  ]);
});

test.each([
  'http://127.0.0.1:1',
  'http://[::1]:1',
  'http://localhost:1',
  'http://gateway:1',
  'http://gateway.tickrate.svc:1',
  'http://172.30.82.4:1',
])('TLS is not required at %s', async (gateway) => {
  expect(await find({ ...away, gateway }, 'TLS')).toMatchObject({ state: 'good' });
});
