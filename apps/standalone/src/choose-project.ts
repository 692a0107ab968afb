import type { Registry } from '@tickrate/registry';
import { CommandFault, commandCodes } from './command.ts';

/** The project that was named, or the one of the place, or the only one that there is. */
export async function chooseProject(registry: Registry, named: string | null): Promise<string> {
  const projects = await registry.projects();
  const found = projects.find(({ id }) => id === named) ?? (projects.length === 1 ? projects[0] : undefined);
  if (found !== undefined && (named === null || found.id === named)) return found.id;
  const list = projects.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  const message = named === null ? 'Say which project with --project ID' : `There is no project ${named}`;
  throw new CommandFault(`${message}; there are: ${list}`, { code: commandCodes.refused });
}
