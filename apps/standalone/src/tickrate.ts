import { SystemError } from '@tickrate/contract';
import { LedgerUnavailable, QueueUnavailable } from '@tickrate/pipeline';
import { ConfigFault } from '@tickrate/platform';
import { createRegistry, type Registry, RegistryUnavailable } from '@tickrate/registry';
import { WarehouseFault } from '@tickrate/warehouse';
import { chooseProject } from './choose-project.ts';
import { CommandFault, type CommandResult, commandCodes } from './command.ts';
import { type CommandArguments, parseCommandArguments } from './command-arguments.ts';
import { type CommandPlace, findPlace } from './command-place.ts';
import { type FoundCommand, findCommand, findGroup, remoteCommands } from './commands.ts';
import { completionScript } from './completion.ts';
import type { StandaloneValues } from './config.ts';
import { declareEventTypes, readDeclaration } from './declare-command.ts';
import { runDoctor } from './doctor/run-doctor.ts';
import { makeFirstProject } from './first-project-command.ts';
import { helpOf, helpText } from './help-text.ts';
import { listEventTypes } from './list-command.ts';
import { migrateClickHouse, migratePostgres } from './migrate-stores.ts';
import { exportQuarantine } from './quarantine-export.ts';
import { createApi } from './remote/api.ts';
import { findApi } from './remote/find-api.ts';
import { readStatus } from './status-command.ts';

export interface CommandSurroundings {
  /** Throws a ConfigFault. */
  readonly readValues: () => StandaloneValues;
  /** What it returns is awaited before more is written. */
  readonly out: (text: string | Uint8Array) => unknown;
  readonly complain: (text: string) => void;
  readonly readInput: () => Promise<string>;
  readonly readSecret: (prompt: string) => Promise<string>;
  readonly interactive: boolean;
  /** Ends what goes on until it is ended. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The command line for people and scripts. Resolves with the exit code; everything is said by then. */
export async function runTickrate(
  args: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  const { out, complain } = surroundings;
  try {
    const given = parseCommandArguments(args);
    const group = findGroup(given.words);
    if (group.length > 0) {
      await out(helpText(group));
      return given.help ? commandCodes.done : commandCodes.wrongUse;
    }
    const found = requireCommand(given);
    if (given.help) {
      await out(helpOf(found.use));
      return commandCodes.done;
    }
    const result = await carryOut(found, given, surroundings);
    if (result.lines !== null) {
      const text = given.json ? JSON.stringify(result.json, null, 2) : result.lines.join('\n');
      await out(text === '' ? '' : `${text}\n`);
    }
    return result.code;
  } catch (error) {
    if (surroundings.signal.aborted) return commandCodes.interrupted;
    const { code, message } = faultOf(error);
    complain(`tickrate: ${message}\n`);
    return code;
  }
}

function requireCommand(given: CommandArguments): FoundCommand {
  const found = findCommand(given.words);
  if (found !== null && given.help) return found;
  if (found === null || found.operands.length > found.use.most) {
    throw wrongUse(`'${given.words.join(' ')}' is not a command: see --help`);
  }
  if (found.operands.length < found.use.fewest) {
    throw wrongUse(`Say which ${found.use.operands}: see \`${found.use.words} --help\``);
  }
  return found;
}

async function carryOut(
  { use, operands }: FoundCommand,
  given: CommandArguments,
  surroundings: CommandSurroundings,
): Promise<CommandResult> {
  const { out, readInput, readSecret, interactive, signal, now } = surroundings;
  const values = valuesFor(given, surroundings.readValues());
  const remote = remoteCommands.find(({ words }) => words === use.words);
  if (remote !== undefined) {
    const place = findApi(given, values, now());
    const { password } = values;
    return remote.run({
      operands,
      given,
      place,
      out,
      readInput,
      readSecret,
      interactive,
      signal,
      now,
      password,
      api: createApi(place, signal),
    });
  }
  if (use.words === 'completion') return completion(operands[0] ?? '');
  if (use.words === 'doctor') return runDoctor(given, { values, now });
  const place = findPlace(given.folder, values);
  switch (use.words) {
    case 'event-types declare': {
      const files = operands.map(readDeclaration);
      return withProject(place, given, (registry, projectId) =>
        declareEventTypes(registry, { ...given, projectId, files }),
      );
    }
    case 'quarantine export':
      return withProject(place, given, (_registry, projectId) =>
        exportQuarantine({ postgresUrl: place.postgresUrl, projectId, given, out }),
      );
    case 'event-types list':
      return withProject(place, given, listEventTypes);
    case 'first-project':
      return withRegistry(place, (registry) => makeFirstProject(registry, operands[0] ?? ''));
    case 'status':
      return readStatus(place, { project: given.project, shards: values.queueShards });
    default:
      return migrate(place, values);
  }
}

/** `--data` names an installation: the databases of the environment are then another one's. */
function valuesFor({ folderIsNamed }: CommandArguments, values: StandaloneValues): StandaloneValues {
  return folderIsNamed ? { ...values, postgresUrl: null, queueUrl: null, clickhouseUrl: null } : values;
}

function completion(shell: string): CommandResult {
  const script = completionScript(shell);
  if (script === null) throw wrongUse(`There is no completion for ${shell}: bash or zsh`);
  return { code: commandCodes.done, json: { script }, lines: [script.trimEnd()] };
}

function wrongUse(message: string): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse });
}

function withProject(
  place: CommandPlace,
  given: CommandArguments,
  work: (registry: Registry, projectId: string) => Promise<CommandResult>,
): Promise<CommandResult> {
  return withRegistry(place, async (registry) =>
    work(registry, await chooseProject(registry, given.project ?? place.projectId)),
  );
}

async function withRegistry(
  { postgresUrl }: CommandPlace,
  work: (registry: Registry) => Promise<CommandResult>,
): Promise<CommandResult> {
  // What is lost on an idle connection is told by the next call.
  const registry = createRegistry({ postgresUrl, now: Date.now, onFault: () => undefined });
  try {
    return await work(registry);
  } finally {
    await registry.close();
  }
}

async function migrate(place: CommandPlace, values: StandaloneValues): Promise<CommandResult> {
  const { postgresUrl, queueUrl, clickhouseUrl } = place;
  await Promise.all([
    migratePostgres(postgresUrl, queueUrl),
    clickhouseUrl === null
      ? null
      : migrateClickHouse(clickhouseUrl, values.clickhouseCluster, { restoreMissing: true }),
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
  if (error instanceof ConfigFault) return { code: commandCodes.misconfigured, message };
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
