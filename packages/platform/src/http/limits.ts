/** What one server holds of its clients at most; no slow or greedy client can take more. */
export interface HttpLimits {
  /** From the first byte of a request, or from connecting, to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly requestTimeoutMs: number;
  /** How long an unused connection is kept. Longer than the load balancer's own. */
  readonly keepAliveTimeoutMs: number;
  /** Without a byte in either direction, also while an answer is not read. */
  readonly idleTimeoutMs: number;
  readonly headersBytes: number;
  readonly maxConnections: number;
  /** Of one client address, or one /64 of IPv6; trusted proxies are not bounded. 0 is no limit. */
  readonly maxConnectionsOfAddress: number;
  /** Listening sockets, where the system can share an address between them. */
  readonly listeners: number;
  /** Of all bodies together that have not arrived whole. */
  readonly heldBodyBytes: number;
}

export const httpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 120_000,
  headersBytes: 16 * 1024,
  maxConnections: 10_000,
  maxConnectionsOfAddress: 1_000,
  listeners: 64,
  heldBodyBytes: 256 * 1024 * 1024,
};

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

export function connectionLimits(
  values: Readonly<Record<'connections' | 'connectionsOfAddress', number>>,
): Pick<HttpLimits, 'maxConnections' | 'maxConnectionsOfAddress'> {
  return { maxConnections: values.connections, maxConnectionsOfAddress: values.connectionsOfAddress };
}
