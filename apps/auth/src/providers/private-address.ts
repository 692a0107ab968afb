import { BlockList, isIP } from 'node:net';

/** Whether an address, in numbers, is one of the public internet. What is no address at all is not public. */
export type IsPublicAddress = (address: string) => boolean;

const notPublicV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];
// Outside of 2000::/3 nothing is assigned; inside, what tunnels to a v4 address would hide where it leads.
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
