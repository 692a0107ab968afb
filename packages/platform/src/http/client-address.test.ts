import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBucket, checkAddressRange, createClientAddress } from './client-address.ts';

describe('the client address', () => {
  test('is the peer if no proxy is trusted, with any forwarded header', () => {
    const clientAddress = createClientAddress([]);
    fc.assert(
      fc.property(fc.ipV4(), fc.string(), (peer, forwarded) => {
        expect(clientAddress(peer, forwarded)).toBe(peer);
      }),
    );
  });

  test('is the right-most hop that is not trusted', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
    for (const [peer, forwarded, expected] of [
      ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
      ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
      ['10.1.2.3', '6.6.6.6, 198.51.100.1, 10.9.9.9, 192.0.2.7', '198.51.100.1'],
      ['10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
      ['2001:db8::1', '[2001:470::9]:443', '2001:470::9'],
      ['2001:db8::1', '::ffff:198.51.100.1', '198.51.100.1'],
      ['2001:db8::1', '::FFFF:c633:6401', '198.51.100.1'],
      ['2001:db8::1', '0:0:0:0:0:ffff:198.51.100.1', '198.51.100.1'],
      ['2001:0DB8:0::1', '2001:0470:0:0::09', '2001:470::9'],
      ['10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
      ['10.1.2.3', '198.51.100.1, nonsense', '10.1.2.3'],
      ['10.1.2.3', '198.51.100.1, nonsense, 10.0.0.9', '10.0.0.9'],
      ['10.1.2.3', '', '10.1.2.3'],
      ['10.1.2.3', undefined, '10.1.2.3'],
      ['192.0.2.8', '198.51.100.1', '192.0.2.8'],
      [undefined, '198.51.100.1', '0.0.0.0'],
    ] as const) {
      expect([peer, forwarded, clientAddress(peer, forwarded)]).toEqual([peer, forwarded, expected]);
    }
  });

  test('cannot be chosen by what a client writes to the left of the proxy', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8']);
    const untrusted = fc.ipV4().filter((address) => !address.startsWith('10.'));
    fc.assert(
      fc.property(fc.string(), untrusted, (forged, real) => {
        expect(clientAddress('10.0.0.1', `${forged}, ${real}`)).toBe(real);
      }),
    );
  });

  test('is always an address, with any forwarded header', () => {
    const clientAddress = createClientAddress(['10.0.0.0/8', '::/0']);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())), (hops) => {
        expect(checkAddressRange(clientAddress('10.0.0.1', hops.join(',')))).toBeNull();
      }),
    );
  });
});

describe('a range', () => {
  test('is an address or a CIDR range', () => {
    for (const range of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '::ffff:10.0.0.0/104', '0.0.0.0/0']) {
      expect([range, checkAddressRange(range)]).toEqual([range, null]);
    }
    for (const range of [
      '',
      'a',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0/8',
      '::/129',
      '10.0.0.0/8/8',
      '1.1.1.1/-1',
    ]) {
      expect([range, checkAddressRange(range)]).toEqual([range, expect.any(String)]);
      expect(() => createClientAddress([range])).toThrow(range);
    }
  });

  test('in its v4-mapped form trusts the same addresses', () => {
    expect(createClientAddress(['::ffff:10.0.0.0/104'])('10.1.1.1', '9.9.9.9')).toBe('9.9.9.9');
  });
});

describe('the bucket of an address', () => {
  test('is the address of version 4, and the /64 of version 6 in any spelling', () => {
    expect(addressBucket('198.51.100.1')).toBe('198.51.100.1');
    for (const address of ['2001:db8:0:1::5', '2001:db8:0:1:ffff:0:0:9', '2001:db8:0:1:0:0:0:1']) {
      expect(addressBucket(address)).toBe('2001:db8:0:1::/64');
    }
    expect(addressBucket('::1')).toBe('0:0:0:0::/64');
    expect(addressBucket('fe80::')).toBe('fe80:0:0:0::/64');
  });

  test('is the /48 of 6to4, which belongs to one address of version 4', () => {
    expect(addressBucket('2002:c633:6401:7::1')).toBe('2002:c633:6401::/48');
    expect(addressBucket('2002::1')).toBe('2002:0:0::/48');
  });
});
