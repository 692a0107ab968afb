import { expect, test } from 'vitest';
import { consoleConfig } from './config.ts';
import { startConsoleWorld } from './testing/console-harness.ts';

const { world } = await startConsoleWorld({
  allowedAddresses: ['10.0.0.0/8', '2001:db8::/32'],
  trustedProxies: ['127.0.0.1'],
});

async function answerOf(path: string, from: string | null, method = 'GET') {
  const headers = { Connection: 'close', Accept: 'text/html', ...(from && { 'X-Forwarded-For': from }) };
  const answer = await fetch(world.url + path, { method, headers });
  return { status: answer.status, text: await answer.text() };
}

// Invariant (Management): With CONSOLE_ALLOWED_ADDRESSES, the console answers no other address, at any path
test.each([
  ['GET', '/'],
  ['GET', '/sign-in'],
  ['GET', '/docs'],
  ['GET', '/openapi.json'],
  ['GET', '/v1/projects'],
  ['GET', '/v1/nothing'],
  ['GET', '/session/provider'],
  ['POST', '/session/exchange'],
])('%s %s is only for the allowed addresses', async (method, path) => {
  for (const from of [null, '192.0.2.7', '2001:db9::1', '10.1.2.3, 192.0.2.7', 'x']) {
    const { status, text } = await answerOf(path, from, method);
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: 2005 }]);
    expect(text).toContain('is not in CONSOLE_ALLOWED_ADDRESSES');
  }
  for (const from of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '192.0.2.7, 10.1.2.3'])
    expect((await answerOf(path, from, method)).text).not.toContain('CONSOLE_ALLOWED_ADDRESSES');
});

test('a BI tool at another address gets the refusal as an error of ClickHouse', async () => {
  const { status, text } = await answerOf('/', '192.0.2.7', 'POST');
  expect(status).toBe(403);
  expect(text).toMatch(/^Code: 497\. DB::Exception: 192\.0\.2\.7 is not in CONSOLE_ALLOWED_ADDRESSES/);
});

test('probes of health come from anywhere', async () => {
  expect((await answerOf('/health/live', null)).status).toBe(200);
});

test('an entry that is no address is named at the start', () => {
  expect(() => consoleConfig.parse({ CONSOLE_ALLOWED_ADDRESSES: '10.0.0.0/8, office' })).toThrow(
    "CONSOLE_ALLOWED_ADDRESSES 'office': is not an IP address or a CIDR range",
  );
});
