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
