import { SystemError } from '@tickrate/contract';
import { LedgerUnavailable, QueueUnavailable } from '@tickrate/pipeline';
import { createRegistry, type Registry, RegistryUnavailable } from '@tickrate/registry';
import { WarehouseFault } from '@tickrate/warehouse';
import { chooseProject } from './choose-project.ts';
import { CommandFault, type CommandResult, commandCodes } from './command.ts';
import { type CommandArguments, parseCommandArguments } from './command-arguments.ts';
import { type CommandPlace, findPlace } from './command-place.ts';
import type { StandaloneValues } from './config.ts';
import { declareEventTypes, readDeclaration } from './declare-command.ts';
import { listEventTypes } from './list-command.ts';
import { migrateClickHouse, migratePostgres } from './migrate-stores.ts';
import { readStatus } from './status-command.ts';

export interface CommandSurroundings {
  readonly values: StandaloneValues;
  readonly out: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The command line for people and scripts. Resolves with the exit code; everything is said by then. */
export async function runTickrate(
  args: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  const { values, out, complain } = surroundings;
  try {
    const given = parseCommandArguments(args);
    if (given.help || given.words.length === 0) {
      out(help);
      return given.help ? commandCodes.done : commandCodes.wrongUse;
    }
    const result = await carryOut(given, values);
    out(
      given.json
        ? `${JSON.stringify(result.json, null, 2)}\n`
        : result.lines.map((line) => `${line}\n`).join(''),
    );
    return result.code;
  } catch (error) {
    const { code, message } = faultOf(error);
    complain(`tickrate: ${message}\n`);
    return code;
  }
}

async function carryOut(given: CommandArguments, values: StandaloneValues): Promise<CommandResult> {
  const [noun, verb, ...rest] = given.words;
  const command = noun === 'event-types' ? `${noun} ${verb ?? ''}`.trim() : noun;
  const extra = noun === 'event-types' ? rest : given.words.slice(1);
  const isKnown = ['event-types declare', 'event-types list', 'status', 'migrate'].includes(command ?? '');
  if (!isKnown || (command !== 'event-types declare' && extra.length > 0)) {
    throw new CommandFault(`'${given.words.join(' ')}' is not a command: see --help`, {
      code: commandCodes.wrongUse,
    });
  }
  if (command === 'event-types declare' && extra.length === 0) {
    throw new CommandFault('Say which FILE to declare', { code: commandCodes.wrongUse });
  }
  const place = findPlace(given.folder, values);
  switch (command) {
    case 'event-types declare': {
      const files = extra.map(readDeclaration);
      return withProject(place, given, (registry, projectId) =>
        declareEventTypes(registry, { ...given, projectId, files }),
      );
    }
    case 'event-types list':
      return withProject(place, given, listEventTypes);
    case 'status':
      return readStatus(place, { project: given.project, shards: values.queueShards });
    default:
      return migrate(place, values);
  }
}

async function withProject(
  place: CommandPlace,
  given: CommandArguments,
  work: (registry: Registry, projectId: string) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { postgresUrl } = place;
  // What is lost on an idle connection is told by the next call.
  const registry = createRegistry({ postgresUrl, now: Date.now, onFault: () => undefined });
  try {
    return await work(registry, await chooseProject(registry, given.project ?? place.projectId));
  } finally {
    await registry.close();
  }
}

async function migrate(place: CommandPlace, values: StandaloneValues): Promise<CommandResult> {
  const { postgresUrl, queueUrl, clickhouseUrl } = place;
  await Promise.all([
    migratePostgres(postgresUrl, queueUrl),
    clickhouseUrl === null ? null : migrateClickHouse(clickhouseUrl, values.clickhouseCluster),
  ]);
  const migrated = clickhouseUrl === null ? ['PostgreSQL'] : ['PostgreSQL', 'ClickHouse'];
  return {
    code: commandCodes.done,
    json: { migrated },
    lines: [`${migrated.join(' and ')}: up to date`],
  };
}

function faultOf(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof CommandFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SystemError) return { code: commandCodes.refused, message };
  const isAway =
    error instanceof RegistryUnavailable ||
    error instanceof LedgerUnavailable ||
    error instanceof QueueUnavailable ||
    error instanceof WarehouseFault ||
    isRefusedConnection(error);
  if (isAway) return { code: commandCodes.unavailable, message: `${message}. Is \`npm start\` running?` };
  return { code: 70, message: error instanceof Error ? (error.stack ?? message) : message };
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

const help = `npm run tickrate -- <command> [options]

  event-types declare FILE…  declare what each FILE says: {"name", "description", "declaration"}
      --compatible-only      refuse a version that breaks senders of the newest one
      --dry-run              tell the difference, declare nothing
  event-types list           the event types with their versions
  status                     accepted, stored, pending, deduplicated, dead and missing events by project
  migrate                    bring PostgreSQL, the queue and ClickHouse up to date

  --project ID   the project that is meant, when there are several
  --data DIR     the data folder of \`npm start\` (default: .tickrate in this folder)
  --json         print JSON
  --help         show this

The databases are those of the data folder, or POSTGRES_URL, QUEUE_URL and CLICKHOUSE_URL.
Exit codes: 0 done, 1 refused, 64 wrong use, 69 a database is away.
`;
