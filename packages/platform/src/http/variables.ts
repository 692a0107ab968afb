import type { HttpLimits } from './limits.ts';
import { httpLimits } from './limits.ts';

/** What an operator may say of the connections of a public server: part of its app's declaration. */
export const connectionVariables = {
  sharePort: {
    name: 'SHARE_PORT',
    type: 'boolean',
    default: false,
    help: 'Lets several processes listen on PORT, on Linux; each needs its own METRICS_PORT. `npm start` sets it',
  },
  connections: {
    name: 'CONNECTIONS',
    type: 'int',
    default: httpLimits.maxConnections,
    min: 100,
    max: 1_000_000,
    help: 'Maximum connections. Near the limit, idle ones are closed to admit new ones, first those of the address with the most',
  },
  connectionsOfAddress: {
    name: 'CONNECTIONS_PER_ADDRESS',
    type: 'int',
    default: httpLimits.maxConnectionsOfAddress,
    min: 0,
    help: 'Maximum connections per client address (IPv6: per /64), except trusted proxies; 0 means no limit',
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
