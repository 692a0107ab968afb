import { BlockList, isIP } from 'node:net';

/** Whether a numeric address belongs to the public internet. Any other text is not public. */
export type IsPublicAddress = (address: string) => boolean;

export interface OutboundRules {
  /** Allows plain HTTP and private addresses. */
  readonly development: boolean;
  readonly isPublic: IsPublicAddress;
}

/**
 * Why Tickrate does not call a URL that a project configured; null if it does. Of names, only those that are known to
 * lead to private addresses are found here: every connection checks the address that a name resolves to.
 */
export function outboundRefusal(url: URL, { development, isPublic }: OutboundRules): string | null {
  if (url.protocol !== 'https:' && !(development && url.protocol === 'http:'))
    return 'its address is not https';
  if (url.username !== '' || url.password !== '') return 'its address contains a name or password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A numeric address is connected to without a lookup.
  const isPrivate = isIP(host) === 0 ? isPrivateName(host) : !isPublic(host);
  return isPrivate && !development ? 'its address is private' : null;
}

/** Domains of private networks, and public names of which every subdomain leads to an address in its own name. */
const privateDomains =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|nip\.io|sslip\.io|xip\.io|traefik\.me)$/;

function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  // A name without a dot is one of the operator's own network.
  return !name.includes('.') || privateDomains.test(name);
}

const notPublicV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
// Nothing outside 2000::/3 is assigned. Inside it, a tunnel to a v4 address would hide its destination.
const assignedV6 = '2000::/3';
const notPublicV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

export function createIsPublicAddress(): IsPublicAddress {
  const privateV4 = blockListOf(notPublicV4, 'ipv4');
  const privateV6 = blockListOf(notPublicV6, 'ipv6');
  const assigned = blockListOf([assignedV6], 'ipv6');
  return (address) => {
    const family = isIP(address);
    if (family === 4) return !privateV4.check(address, 'ipv4');
    return family === 6 && assigned.check(address, 'ipv6') && !privateV6.check(address, 'ipv6');
  };
}

function blockListOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
