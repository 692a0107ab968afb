import { BlockList, isIP, SocketAddress } from 'node:net';

const unknownAddress = '0.0.0.0';

/** Why a text is not an address or a CIDR range, or null when it is: a check for configuration. */
export function checkAddressRange(text: string): string | null {
  return parseRange(text) ? null : 'is not an IP address or a CIDR range';
}

/**
 * Who a request is from: the socket's peer, and only when that is a trusted proxy, the right-most hop of
 * X-Forwarded-For that is not one. Throws when a range is not valid.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
): (peer: string | undefined, forwardedFor: string | string[] | undefined) => string {
  const isTrusted = createRangeCheck(trustedProxies);
  return (peer, forwardedFor) => {
    let address = plainAddress(peer ?? '') ?? unknownAddress;
    if (forwardedFor === undefined || !isTrusted(address)) return address;
    const hops = (typeof forwardedFor === 'string' ? forwardedFor : forwardedFor.join(',')).split(',');
    for (const hop of hops.reverse()) {
      const next = plainAddress(withoutPort(hop.trim()));
      // What a trusted proxy could not have written ends the chain: it is as far as can be trusted.
      if (next === null) return address;
      address = next;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}

/** The peer of a connection. */
export interface Peer {
  /** Its address, or its /64. */
  readonly bucket: string;
  /** A trusted proxy, which speaks for many. */
  readonly isProxy: boolean;
}

/** Throws when a range is not valid. */
export function peerReader(trustedProxies: readonly string[]): (address: string | undefined) => Peer {
  const isTrusted = createRangeCheck(trustedProxies);
  return (given) => {
    const address = plainAddress(given ?? '') ?? unknownAddress;
    return { bucket: addressBucket(address), isProxy: isTrusted(address) };
  };
}

/**
 * Returns the network that rates and connections are counted by, which one client owns: the address of IPv4, the /64 of
 * IPv6, and the /48 of 6to4, which belongs to one IPv4 address.
 */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right];
  const owned = groups[0] === '2002' ? 3 : 4;
  return `${groups.slice(0, owned).join(':')}::/${owned * 16}`;
}

/** Returns the network of an address, coarse enough not to name a household: /24 of IPv4, /64 of IPv6. */
export function addressPrefix(address: string): string {
  return address.includes(':') ? addressBucket(address) : `${address.replace(/\.[0-9]+$/, '.0')}/24`;
}

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parseRange(text: string): Range | null {
  const [given = '', length, ...more] = text.trim().split('/');
  const address = plainAddress(given);
  if (address === null || more.length > 0) return null;
  const isV4 = isIP(address) === 4;
  const most = isV4 ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null;
  const mapped = isV4 && given.includes(':') ? 96 : 0;
  const bits = length === undefined ? most : Number(length) - mapped;
  if (bits < 0 || bits > most) return null;
  return { address, bits, family: isV4 ? 'ipv4' : 'ipv6' };
}

/** Whether an address is in one of the ranges. Throws when a range is not valid. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (!range) throw new Error(`'${text}' is not an IP address or a CIDR range`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * The one spelling of an address: "::ffff:10.0.0.1" and "::ffff:a00:1" are 10.0.0.1. A zone ("%eth0") is not part of the
 * address.
 */
function plainAddress(text: string): string | null {
  const address = text.split('%', 1)[0] ?? '';
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : null;
  const shortest = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(shortest)?.[1] ?? shortest;
}

function withoutPort(hop: string): string {
  if (hop.startsWith('[')) return hop.slice(1, hop.indexOf(']') === -1 ? undefined : hop.indexOf(']'));
  const parts = hop.split(':');
  return parts.length === 2 ? (parts[0] ?? '') : hop;
}
