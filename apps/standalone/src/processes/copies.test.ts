import { expect, test } from 'vitest';
import { copiesOf, copyPortOffset, defaultGateways, mostGateways, portsOfCopies } from './copies.ts';

const large = { platform: 'linux', cores: 64, memoryBytes: 64 * 1024 ** 3, inFlightBytes: 64 * 1024 ** 2 };

test.each([
  ['one up to seven cores', { cores: 7 }, 1],
  ['one for every four cores', { cores: 8 }, 2],
  ['four at most', {}, 4],
  ['as many as fit into a quarter of the memory', { memoryBytes: 3 * 1024 ** 3 }, 2],
  ['fewer if each may hold more', { memoryBytes: 8 * 1024 ** 3, inFlightBytes: 1024 ** 3 }, 1],
  ['one on a small machine', { memoryBytes: 512 * 1024 ** 2 }, 1],
  ['one where a port is not shared', { platform: 'darwin' }, 1],
])('by default there are gateways: %s', (_, machine, expected) => {
  expect(defaultGateways({ ...large, ...machine })).toBe(expected);
});

test('each copy has a port of its own for metrics, without a gap', () => {
  const { gateway, auth } = copiesOf(mostGateways);
  const offsets = [
    ...Array.from({ length: auth - 1 }, (_, at) => copyPortOffset('auth', at + 2)),
    ...Array.from({ length: gateway - 1 }, (_, at) => copyPortOffset('gateway', at + 2)),
  ];
  expect(offsets).toEqual(Array.from({ length: portsOfCopies }, (_, at) => at));
});
