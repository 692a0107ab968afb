import { addressBucket } from '@tickrate/platform';

/** The network that an address belongs to, coarse enough not to name a household: /24 of IPv4, /64 of IPv6. */
export function clientAddressPrefix(address: string): string {
  return address.includes(':') ? addressBucket(address) : `${address.replace(/\.[0-9]+$/, '.0')}/24`;
}
