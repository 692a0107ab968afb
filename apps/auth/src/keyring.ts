import { createHmac, hkdfSync } from 'node:crypto';
import type { Keyring } from '@tickrate/accounts';

/** All keys of the process, derived from the one secret of the operator. */
interface AuthKeyring extends Keyring {
  readonly boxKey: Buffer;
  readonly pepper: Buffer;
}

export function createKeyring(secret: string): AuthKeyring {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `tickrate ${purpose}`, 32));
  const macKey = keyFor('mac');
  return {
    mac(purpose, ...parts) {
      const hmac = createHmac('sha256', macKey).update(purpose);
      for (const part of parts) hmac.update(`\0${Buffer.byteLength(part)}\0`).update(part);
      return hmac.digest();
    },
    boxKey: keyFor('box'),
    pepper: keyFor('pepper'),
  };
}
