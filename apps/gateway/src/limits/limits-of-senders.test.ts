import { type RatesPolicy, SystemError } from '@tickrate/contract';
import { addressPrefix, type RequestContext } from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';
import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createRates } from './rates.ts';
import { unavailable } from './unavailable.ts';

const principal: Principal = {
  keyId: 'key-1',
  keyLine: 'key-1',
  kind: 'public',
  projectId: 'p-1',
  scopes: [],
  origins: null,
  sessionId: null,
  accountId: null,
  expiresMs: null,
  lateEventsUntilMs: null,
};

interface Sent {
  readonly clientAddress?: string;
  readonly by?: Partial<Principal>;
  readonly set?: RatesPolicy;
}

function start(rates: { perAddress?: number; perKey?: number; perProject?: number }) {
  const clock = createManualClock();
  const { check } = createRates({ perAddress: 0, perKey: 0, perProject: 0, now: clock.now, ...rates });
  const headers = new Map<string, string>();
  const response = { setHeader: (name: string, value: string) => headers.set(name, value) };
  function send({ clientAddress = '192.0.2.1', by = {}, set = {} }: Sent = {}): number {
    try {
      const context = { clientAddress, response } as unknown as RequestContext;
      const sent = { context, principal: { ...principal, ...by }, rates: set };
      check(sent);
      return 200;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      expect(error.data['retryAfterSeconds']).toBeLessThanOrEqual(60);
      return error.code;
    }
  }
  return { clock, headers, send };
}

const times = (count: number, send: () => number) => Array.from({ length: count }, send);

test('an address that sends too often receives a delay, and no other address does', () => {
  const { clock, headers, send } = start({ perAddress: 4 });
  expect(times(5, () => send())).toEqual([200, 200, 200, 200, 6002]);
  expect(headers.get('RateLimit')).toBe('"address";r=0;t=1');
  expect(send({ clientAddress: '192.0.2.2' })).toBe(200);
  expect(send({ by: { keyId: 'key-2' } })).toBe(6002);
  clock.advance(250);
  expect(times(2, () => send())).toEqual([200, 6002]);
});

test('the servers of a studio share no limit of their address', () => {
  const { send } = start({ perAddress: 1 });
  expect(new Set(times(50, () => send({ by: { kind: 'administrative' } })))).toEqual(new Set([200]));
});

test('a key and a project have limits of their own', () => {
  const byKey = start({ perKey: 1 });
  expect(times(2, () => byKey.send())).toEqual([200, 6002]);
  expect(byKey.send({ by: { keyId: 'key-2' } })).toBe(200);
  const byProject = start({ perProject: 1 });
  expect(times(2, () => byProject.send())).toEqual([200, 6002]);
  expect(byProject.send({ by: { keyId: 'key-2' } })).toBe(6002);
  expect(byProject.send({ by: { projectId: 'p-2' } })).toBe(200);
});

test('the settings of a project replace the defaults', () => {
  const { send } = start({ perAddress: 1, perKey: 1 });
  const set = { perAddress: 6, perKey: 0, perProject: 2 };
  expect(times(3, () => send({ set }))).toEqual([200, 200, 6002]);
  expect(send({ by: { projectId: 'p-2' } })).toBe(200);
  expect(send({ by: { projectId: 'p-2' } })).toBe(6002);
  expect(send({ by: { projectId: 'p-2' }, set: { perAddress: null, perKey: null } })).toBe(6002);
});

test('the first request receives the configured rate, with one less remaining', () => {
  const { headers, send } = start({ perAddress: 1_000, perKey: 20_000, perProject: 50_000 });
  send();
  expect(headers.get('RateLimit')).toBe('"address";r=999;t=1');
  expect(headers.get('RateLimit-Policy')).toBe(
    '"address";q=1000;w=1, "key";q=20000;w=1, "project";q=50000;w=1',
  );
  expect(new Set(times(999, () => send()))).toEqual(new Set([200]));
  expect(send()).toBe(6002);
});

test('without limits nothing is counted and no header is sent', () => {
  const { headers, send } = start({});
  expect(new Set(times(100, () => send()))).toEqual(new Set([200]));
  expect(headers.size).toBe(0);
});

test('an overload sends clients different short delays', () => {
  const waits = [0, 0.25, 0.5, 0.99].map((random) => unavailable(() => random).data['retryAfterSeconds']);
  expect(waits).toEqual([1, 2, 3, 4]);
  expect(unavailable(() => 0, new Error('away'))).toMatchObject({ code: 6001, status: 503 });
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
])('only the network of the address %s is kept', (address, network) =>
  expect(addressPrefix(address)).toBe(network),
);
