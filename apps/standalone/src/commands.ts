import { analysisCommands } from './remote/analysis-commands.ts';
import { declarationCommands } from './remote/declaration-commands.ts';
import { eventCommands } from './remote/event-commands.ts';
import { eventTypeCommands } from './remote/event-type-commands.ts';
import { invitationCommands } from './remote/invitation-commands.ts';
import { keysCommands } from './remote/keys-commands.ts';
import { memberCommands } from './remote/member-commands.ts';
import { playerCommands } from './remote/player-commands.ts';
import { projectCommands } from './remote/project-commands.ts';
import { quarantineCommands } from './remote/quarantine-commands.ts';
import type { RemoteCommand } from './remote/remote-command.ts';
import { signInCommand } from './remote/sign-in-command.ts';
import { tailCommand } from './remote/tail-command.ts';

/** What every command is called and takes. */
export type CommandUse = Omit<RemoteCommand, 'run'>;

export const remoteCommands: readonly RemoteCommand[] = [
  signInCommand,
  ...projectCommands,
  ...memberCommands,
  ...invitationCommands,
  ...keysCommands,
  ...eventTypeCommands,
  ...declarationCommands,
  ...eventCommands,
  tailCommand,
  ...analysisCommands,
  ...playerCommands,
  ...quarantineCommands,
];

const none = { operands: '', fewest: 0, most: 0, options: [] };

/** Those that work on the databases or on this machine. */
const localCommands = [
  {
    ...{ ...none, words: 'quarantine export', options: ['kind', 'type', 'reason'] },
    summary: 'everything in quarantine, a line of JSON each',
  },
  {
    ...{ words: 'event-types declare', operands: 'FILE…', fewest: 1, most: Number.POSITIVE_INFINITY },
    summary: 'declare what each FILE says: {"name", "description", "declaration"}',
    options: ['compatible-only', 'dry-run'],
  },
  { ...none, words: 'event-types list', summary: 'the event types with their versions' },
  {
    ...{ ...none, words: 'status' },
    summary: 'accepted, stored, pending, deduplicated, dead and missing events by project',
  },
  { ...none, words: 'doctor', summary: 'check every dependency and setting, and say what to do' },
  {
    ...{ words: 'first-project', operands: 'NAME', fewest: 1, most: 1, options: [] },
    summary: 'make the first project of an empty installation, with its keys',
  },
  {
    ...{ ...none, words: 'migrate' },
    summary: 'bring PostgreSQL, the queue and ClickHouse up to date',
  },
  {
    ...{ words: 'completion', operands: 'bash|zsh', fewest: 1, most: 1, options: [] },
    summary: 'what makes the shell complete this command',
  },
] satisfies CommandUse[];

export const commandUses: readonly CommandUse[] = [...localCommands, ...remoteCommands].toSorted((a, b) =>
  a.words < b.words ? -1 : 1,
);

/** The commands that these words say too little for: all of them for no word, `keys …` for `keys`. */
export function findGroup(words: readonly string[]): readonly CommandUse[] {
  if (words.length > 1) return [];
  const [first = ''] = words;
  if (commandUses.some((use) => use.words === first)) return [];
  return commandUses.filter((use) => first === '' || use.words.startsWith(`${first} `));
}

export interface FoundCommand {
  readonly use: CommandUse;
  readonly operands: readonly string[];
}

/** The command that these words begin with, and what is left of them. */
export function findCommand(words: readonly string[]): FoundCommand | null {
  for (const length of [2, 1]) {
    const begin = words.slice(0, length).join(' ');
    const use = commandUses.find((each) => each.words === begin);
    if (use !== undefined) return { use, operands: words.slice(length) };
  }
  return null;
}
