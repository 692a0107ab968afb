export type CopiedApp = 'gateway' | 'auth';
export type Copies = Readonly<Record<CopiedApp, number>>;

export interface Machine {
  readonly platform: string;
  readonly cores: number;
  readonly memoryBytes: number;
  /** IN_FLIGHT_BYTES of a gateway. */
  readonly inFlightBytes: number;
}

/** More would need more connections than the embedded PostgreSQL allows. */
export const mostGateways = 8;
/** Hashing has threads of its own. The second process is there while the first one restarts. */
const mostAuths = 2;
const mostByDefault = 4;
const coresPerGateway = 4;
const gatewayBytes = 250 * 1000 ** 2;

/** One gateway for every four cores, in at most a quarter of the memory. Only Linux shares a port between processes. */
export function defaultGateways({ platform, cores, memoryBytes, inFlightBytes }: Machine): number {
  if (platform !== 'linux') return 1;
  const fitting = memoryBytes / 4 / (gatewayBytes + inFlightBytes);
  return Math.max(1, Math.floor(Math.min(mostByDefault, cores / coresPerGateway, fitting)));
}

export function copiesOf(gateways: number): Copies {
  return { gateway: gateways, auth: Math.min(gateways, mostAuths) };
}

/** How many ports there are after those of the plan: metrics of `auth-2`, then of `gateway-2` and its successors. */
export const portsOfCopies = mostAuths - 1 + mostGateways - 1;

/** The port for metrics of a copy, counted from the first after the plan. The first copy, 1, has one in the plan. */
export function copyPortOffset(app: CopiedApp, copy: number): number {
  return app === 'auth' ? copy - mostAuths : copy - 2 + mostAuths - 1;
}
