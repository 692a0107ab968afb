import { parseArgs } from 'node:util';
import { ConfigFault, dataOption, defaultBasePort, portPlan } from '@tickrate/platform';
import { mostGateways, portsOfCopies } from './processes/copies.ts';

/** The arguments after `npm start --`. */
export interface StandaloneOptions {
  /** Absolute. */
  readonly folder: string;
  readonly basePort: number;
  readonly fresh: boolean;
  /** Whether to start a simulated game. */
  readonly demo: boolean;
  /** Null: by cores and memory. */
  readonly gateways: number | null;
}

const declared = {
  data: { type: 'string' },
  port: { type: 'string' },
  fresh: { type: 'boolean' },
  demo: { type: 'boolean' },
  gateways: { type: 'string' },
} as const;
const highestBasePort = 65_535 - Math.max(...Object.values(portPlan(0))) - portsOfCopies;

/** Throws a ConfigFault with every fault of the arguments. */
export function parseOptions(args: readonly string[]): StandaloneOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: declared,
  });
  const faults = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [{ name: token.value, fault: 'is unknown: see --help' }];
    if (token.kind !== 'option' || Object.hasOwn(declared, token.name)) return [];
    return [{ name: token.rawName, fault: 'is unknown: see --help' }];
  });
  const folder = dataOption(values.data);
  if (folder === null) faults.push({ name: '--data', fault: 'requires a folder' });
  const basePort = portOption(values.port);
  if (basePort === null) {
    faults.push({ name: '--port', fault: `requires a number from 1 to ${highestBasePort}` });
  }
  const gateways = gatewaysOption(values.gateways, process.platform);
  if (typeof gateways === 'string') faults.push({ name: '--gateways', fault: gateways });
  if (faults.length > 0 || typeof gateways === 'string' || folder === null || basePort === null)
    throw new ConfigFault(faults);
  return { folder, basePort, fresh: values.fresh === true, demo: values.demo === true, gateways };
}

/** A number, null without the option, or the fault. */
export function gatewaysOption(given: unknown, platform: string): number | null | string {
  if (given === undefined) return null;
  const gateways = typeof given === 'string' && /^\d$/.test(given) ? Number(given) : 0;
  if (gateways < 1 || gateways > mostGateways) return `requires a number from 1 to ${mostGateways}`;
  return gateways > 1 && platform !== 'linux' ? 'requires Linux for more than 1' : gateways;
}

function portOption(given: unknown): number | null {
  if (given === undefined) return defaultBasePort;
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return port >= 1 && port <= highestBasePort ? port : null;
}

export const standaloneHelp = {
  help(): string {
    const ports = Object.entries(portPlan(defaultBasePort)).map(([name, port]) => `${name} ${port}`);
    return `Runs Tickrate on this machine, with embedded databases: npm start -- [options]

  --data DIR   the data folder (default: .tickrate in this folder)
  --port N     the first of ${ports.length} ports (default ${defaultBasePort}: ${ports.join(', ')})
  --gateways N gateways that share the port, 1 to ${mostGateways}, and 2 auth processes from 2 on (default: by cores and memory)
  --fresh      deletes the data folder first, if Tickrate created it
  --demo       starts a simulated game in a project of its own; the console removes it with one click
  --help       shows this text

Environment: LOG_LEVEL (default info) of the files in DIR/logs; NO_COLOR disables colours.
Addresses, keys and passwords are in DIR/standalone.json. Ctrl-C stops Tickrate.

Exit codes: 0 stopped, 69 could not start, 75 did not stop in time, 78 wrong options.
`;
  },
};
