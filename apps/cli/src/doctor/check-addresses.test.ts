import { once } from 'node:events';
import { createServer } from 'node:http';
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
