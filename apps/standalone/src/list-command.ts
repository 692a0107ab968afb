import type { Registry } from '@tickrate/registry';
import { type CommandResult, commandCodes, tableLines } from './command.ts';

export async function listEventTypes(registry: Registry, projectId: string): Promise<CommandResult> {
  const eventTypes = await registry.eventTypes(projectId);
  const rows = eventTypes.map(({ name, description, versions }) => [
    name,
    versions
      .map(({ version, status }) => (status === 'available' ? `${version}` : `${version} ${status}`))
      .join(', '),
    description ?? '',
  ]);
  const lines = rows.length === 0 ? [] : tableLines([['NAME', 'VERSIONS', 'DESCRIPTION'], ...rows]);
  return {
    code: commandCodes.done,
    json: { projectId, eventTypes },
    lines: lines.length === 0 ? [`Project ${projectId} declares no event types`] : lines,
  };
}
