import { personalScope } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import { CommandFault, type CommandResult, commandCodes } from './command.ts';

const createdBy = 'tickrate';

/** Sign-in asks for a public key, and only who has signed in makes one: this is where an installation begins. */
export async function makeFirstProject(registry: Registry, name: string): Promise<CommandResult> {
  const [present] = await registry.projects();
  if (present !== undefined) {
    throw new CommandFault(`There is a project already: ${present.id} (${present.name})`, {
      code: commandCodes.refused,
    });
  }
  const { id: projectId } = await registry.createProject({ name });
  const forGames = await registry.createKey({
    ...{ projectId, kind: 'public', comment: 'For game builds', createdBy },
  });
  const forTools = await registry.createKey({
    ...{ projectId, kind: 'administrative', comment: 'For servers and tools', createdBy },
    scopes: ['all:write', personalScope],
  });
  const keys = { public: forGames.text, administrative: forTools.text };
  return {
    code: commandCodes.done,
    json: { projectId, name, keys },
    lines: [
      `Project ${projectId} (${name})`,
      `  public key          ${keys.public}`,
      `  administrative key  ${keys.administrative}`,
      'The keys are told only now.',
    ],
  };
}
