import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createIsPublicAddress } from '@tickrate/platform';
import { startStandIn } from '@tickrate/testkit';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createOutboundHttp, guardLookup } from './outbound-http.ts';

const server = await startStandIn(() => ({ status: 200, body: { ok: true } }));
const port = new URL(server.address).port;
afterAll(() => server.stop());
afterEach(() => server.feel('well'));

const { signal } = new AbortController();

/** Answers each look-up with the next of the lists. */
function lookupOf(...answers: (readonly string[])[]): LookupFunction {
  return (_hostname, _options, callback) => {
    const addresses = answers.shift() ?? [];
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    );
    callback(null, found);
  };
}

async function get(
  url: string,
  options: { development: boolean; lookup?: LookupFunction },
  timeoutMs?: number,
) {
  const http = createOutboundHttp(options);
  try {
    return await http.send({ url: new URL(url), signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } finally {
    http.close();
  }
}

describe('a call to an address that a project configured', () => {
  it('goes to a local platform in development', async () => {
    expect(await get(server.address, { development: true })).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('is refused when it is not https, or holds a password', async () => {
    for (const url of [
      'http://93.184.215.14/',
      'http://issuer.example/',
      'https://a:b@issuer.example/',
      'ftp://x.example/',
    ]) {
      expect(await get(url, { development: false, lookup: lookupOf() })).toMatchObject({ kind: 'refused' });
    }
  });

  it('is refused when its numbers are private, however they are written', async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '017700000001',
      '10.1.2.3',
      '169.254.169.254',
      '0.0.0.0',
    ];
    const v6 = [
      '[::1]',
      '[::]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ];
    for (const host of [...hosts, ...v6]) {
      const before = server.requests.length;
      expect(await get(`https://${host}:${port}/`, { development: false })).toMatchObject({
        kind: 'refused',
      });
      expect(server.requests.length).toBe(before);
    }
  });

  it('is refused when its name leads to private addresses', async () => {
    for (const addresses of [['127.0.0.1'], ['::1', '10.0.0.8'], ['::ffff:192.168.0.1']]) {
      const lookup = lookupOf(addresses);
      const answer = await get(`https://issuer.example:${port}/`, { development: false, lookup });
      expect(answer).toEqual({ kind: 'refused', detail: 'its name leads to a private address' });
    }
  });

  it('is refused when the system itself finds this machine under the name', async () => {
    expect(await get(`https://localhost:${port}/`, { development: false })).toMatchObject({
      kind: 'refused',
    });
  });

  it('connects only to the address that was checked, so that a name cannot answer differently the second time', async () => {
    // The name is public at the first look-up and private afterwards: the first result is used.
    const asked: string[] = [];
    const answers = lookupOf(['127.0.0.1'], ['127.0.0.1']);
    const lookup: LookupFunction = (hostname, options, callback) => {
      asked.push(hostname);
      answers(hostname, options, callback);
    };
    const answer = await get(`http://issuer.example:${port}/`, { development: true, lookup });
    expect(answer).toMatchObject({ kind: 'answered' });
    expect(asked).toEqual(['issuer.example']);
  });

  it('leaves private addresses out of a mixed answer', () => {
    const lookup = guardLookup(lookupOf(['127.0.0.1', '93.184.215.14', '::1']), createIsPublicAddress());
    const found: unknown[] = [];
    lookup('issuer.example', { all: true }, (error, addresses) => found.push(error, addresses));
    expect(found).toEqual([null, [{ address: '93.184.215.14', family: 4 }]]);
  });

  it('follows no redirect and reads no more than 64 KiB', async () => {
    server.feel('redirecting');
    const before = server.requests.length;
    expect(await get(server.address, { development: true })).toMatchObject({ kind: 'answered', status: 302 });
    expect(server.requests.length).toBe(before + 1);
    server.feel('huge');
    expect(await get(server.address, { development: true })).toEqual({
      kind: 'failed',
      detail: 'its answer is too large',
    });
  });

  it('ends without an answer in time, and when the caller has gone', async () => {
    server.feel('hanging');
    const answer = await get(server.address, { development: true }, 50);
    expect(answer).toEqual({ kind: 'failed', detail: 'it did not answer in time' });
    const http = createOutboundHttp({ development: true });
    const controller = new AbortController();
    const pending = http.send({ url: new URL(server.address), signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ kind: 'failed' });
    http.close();
  });

  it('says what failed without the address', async () => {
    const closed = await startStandIn(() => ({ status: 200, body: {} }));
    await closed.stop();
    const answer = await get(`${closed.address}/?key=secret`, { development: true });
    expect(answer).toEqual({ kind: 'failed', detail: 'it could not be reached (ECONNREFUSED)' });
  });
});

describe('a public address', () => {
  const isPublic = createIsPublicAddress();

  it('is one of the internet that everybody reaches', () => {
    for (const address of ['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1']) {
      expect(isPublic(address)).toBe(true);
    }
    for (const address of [
      '172.31.255.255',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
      'fe80::1%eth0',
      'localhost',
      '',
      '1',
    ]) {
      expect(isPublic(address)).toBe(false);
    }
  });

  it('is never a private one in the clothes of another family', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, (b, c, d) => {
        for (const inner of [`10.${b}.${c}.${d}`, `127.${b}.${c}.${d}`]) {
          expect(isPublic(inner)).toBe(false);
          for (const prefix of ['::ffff:', '::', '64:ff9b::'])
            expect(isPublic(`${prefix}${inner}`)).toBe(false);
        }
      }),
    );
  });
});
