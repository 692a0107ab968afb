import type { HttpLimits } from './limits.ts';
import { httpLimits } from './limits.ts';

/** What an operator may say of the connections of a public server: part of its app's declaration. */
export const connectionVariables = {
  connections: {
    name: 'CONNECTIONS',
    type: 'int',
    default: httpLimits.maxConnections,
    min: 100,
    max: 1_000_000,
    help: 'Connections at a time; near that, idle ones are closed for new ones, first of the address that holds most',
  },
  connectionsOfAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    type: 'int',
    default: httpLimits.maxConnectionsOfAddress,
    min: 0,
    help: 'Connections of one client address (of IPv6: one /64) at a time, trusted proxies aside; 0 is no limit',
  },
} as const;

export interface ConnectionValues {
  readonly connections: number;
  readonly connectionsOfAddress: number;
}

export function connectionLimits(
  values: ConnectionValues,
): Pick<HttpLimits, 'maxConnections' | 'maxConnectionsOfAddress'> {
  return { maxConnections: values.connections, maxConnectionsOfAddress: values.connectionsOfAddress };
}
