import { done, wrongUse } from './command-line/command.ts';
import { completionScript } from './command-line/completion.ts';
import { type Command, defineCommand } from './command-line/define-command.ts';
import { analysisCommands } from './commands/analyses.ts';
import { biUserCommands } from './commands/bi-users.ts';
import { dashboardCommands } from './commands/dashboards.ts';
import { declarationCommands } from './commands/declarations.ts';
import { eventTypeCommands } from './commands/event-types.ts';
import { eventCommands } from './commands/events.ts';
import { importCommand } from './commands/import.ts';
import { invitationCommands } from './commands/invitations.ts';
import { keyCommands } from './commands/keys.ts';
import { memberCommands } from './commands/members.ts';
import { playerCommands } from './commands/players.ts';
import { projectCommands } from './commands/projects.ts';
import { quarantineCommands } from './commands/quarantine.ts';
import { signInCommand, signOutCommand } from './commands/sign-in.ts';
import { stateCommands } from './commands/state.ts';
import { tailCommand } from './commands/tail.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { storeCommands } from './stores/store-commands.ts';

const completionCommand = defineCommand({
  words: 'completion',
  operands: 'bash|zsh',
  summary: 'print the script that completes this command in a shell',
  async run({ operands: [shell = ''] }) {
    if (shell !== 'bash' && shell !== 'zsh')
      throw wrongUse(`There is no completion for ${shell}: bash or zsh`);
    const script = completionScript(shell, commands);
    return done({ script }, [script.trimEnd()]);
  },
});

export const commands: readonly Command[] = [
  signInCommand,
  signOutCommand,
  ...projectCommands,
  ...memberCommands,
  ...invitationCommands,
  ...keyCommands,
  ...biUserCommands,
  ...eventTypeCommands,
  ...dashboardCommands,
  ...declarationCommands,
  ...eventCommands,
  importCommand,
  tailCommand,
  ...analysisCommands,
  ...playerCommands,
  ...quarantineCommands,
  ...stateCommands,
  doctorCommand,
  ...storeCommands,
  completionCommand,
].toSorted((a, b) => (a.words < b.words ? -1 : 1));
