import { parseArgs } from 'node:util';
import { ConfigFault, dataOption, defaultBasePort, portPlan } from '@tickrate/platform';

/** What `npm start --` is given. */
export interface StandaloneOptions {
  /** Absolute. */
  readonly folder: string;
  readonly basePort: number;
  readonly fresh: boolean;
  /** Whether a simulated game starts to play. */
  readonly demo: boolean;
}

const highestBasePort = 65_535 - Math.max(...Object.values(portPlan(0)));

/** Throws a ConfigFault that tells all that is wrong with the arguments. */
export function parseOptions(args: readonly string[]): StandaloneOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: {
      data: { type: 'string' },
      port: { type: 'string' },
      fresh: { type: 'boolean' },
      demo: { type: 'boolean' },
    },
  });
  const known = new Set(['data', 'port', 'fresh', 'demo']);
  const faults = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [{ name: token.value, fault: 'is not an option: see --help' }];
    if (token.kind === 'option' && !known.has(token.name)) {
      return [{ name: token.rawName, fault: 'is not an option: see --help' }];
    }
    return [];
  });
  const folder = dataOption(values.data);
  if (folder === null) faults.push({ name: '--data', fault: 'must be followed by a folder' });
  const basePort = portOption(values.port);
  if (basePort === null) {
    faults.push({ name: '--port', fault: `must be followed by a number from 1 to ${highestBasePort}` });
  }
  if (faults.length > 0 || folder === null || basePort === null) throw new ConfigFault(faults);
  return { folder, basePort, fresh: values.fresh === true, demo: values.demo === true };
}

function portOption(given: unknown): number | null {
  if (given === undefined) return defaultBasePort;
  const port = typeof given === 'string' && /^\d{1,5}$/.test(given) ? Number(given) : 0;
  return port >= 1 && port <= highestBasePort ? port : null;
}

export const standaloneHelp = {
  help(): string {
    const ports = Object.entries(portPlan(defaultBasePort)).map(([name, port]) => `${name} ${port}`);
    return `Runs all of Tickrate on this machine, with databases of its own: npm start -- [options]

  --data DIR   where everything is kept (default: .tickrate in this folder)
  --port N     the first of ${ports.length} ports (default ${defaultBasePort}: ${ports.join(', ')})
  --fresh      begin anew: deletes the data folder first, if Tickrate made it
  --demo       start a simulated game, in a project of its own. The console removes it with one click
  --help       show this

Environment: LOG_LEVEL (default info) for the files in DIR/logs; NO_COLOR for plain output.
Addresses, keys and passwords are written to DIR/standalone.json. Ctrl-C stops everything.

Exit codes: 0 stopped, 69 could not start, 75 did not stop in time, 78 wrong options.
`;
  },
};
