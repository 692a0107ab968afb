import { describe, expect, it } from 'vitest';
import { whatToSetUp } from './what-to-set-up.ts';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('the setup of an authenticator', () => {
  it('contains a link that authenticators read', () => {
    const uri = new URL(whatToSetUp({ secret, label: 'a&b@example.test' }, 'Sky: Harbour').otpauthUri);
    expect(uri.protocol).toBe('otpauth:');
    const query = Object.fromEntries(uri.searchParams);
    expect(query).toMatchObject({ secret, algorithm: 'SHA1', digits: '6', period: '30' });
    expect(uri.searchParams.get('issuer')).toBe('Sky: Harbour');
  });

  it('contains a picture without scripts, frames or addresses', () => {
    const { qrSvg } = whatToSetUp({ secret, label: '"><script>alert(1)</script>' });
    expect(qrSvg).toMatch(/^<svg /);
    expect(qrSvg).not.toMatch(/script|href|alert/i);
  });
});
