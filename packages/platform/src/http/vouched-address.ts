import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

export const vouchedAddressHeader = 'x-tickrate-client-address';

/** Clocks of two machines differ by less. */
const validMs = 60_000;

/**
 * The address of a client, as a process of ours proves it to another one: a proxy without a place in `TRUSTED_PROXIES`.
 * Both derive the key from the same setting, so that nobody else can claim an address.
 */
export type AddressVoucher = ReturnType<typeof createAddressVoucher>;

/** `setting` is `SECRETS_KEY`: texts divided by commas. The first signs; each of them verifies. */
export function createAddressVoucher(setting: string, now: () => number) {
  const [key = Buffer.alloc(0), ...earlier] = setting
    .split(',')
    .map((text) => Buffer.from(hkdfSync('sha256', text.trim(), '', 'tickrate client address', 32)));
  return {
    /** The value of the header `vouchedAddressHeader`. */
    write(address: string): string {
      const claim = `${address} ${now()}`;
      return `${claim} ${proofOf(key, claim)}`;
    },
    /** The proven address, or null for a request without a valid and recent proof. */
    read({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
      const value = headers[vouchedAddressHeader];
      if (typeof value !== 'string') return null;
      const [address = '', time = '', proof = ''] = value.split(' ');
      const isRecent = Math.abs(now() - Number(time)) <= validMs;
      if (isIP(address) === 0 || !isRecent) return null;
      const claim = `${address} ${time}`;
      return [key, ...earlier].some((each) => isSame(proofOf(each, claim), proof)) ? address : null;
    },
  };
}

function proofOf(key: Uint8Array, claim: string): string {
  return createHmac('sha256', key).update(claim).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
