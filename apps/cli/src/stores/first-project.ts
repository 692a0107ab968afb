import { personalScope } from '@tickrate/contract';
import { createPostgres, type Postgres } from '@tickrate/postgres';
import { createRegistry, type Registry } from '@tickrate/registry';
import { done, refused } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { findStores } from './find-stores.ts';

const createdBy = 'tickrate';

// Sign-in requires a public key, and only a signed-in administrator can create one. This command creates the first one.
export const firstProjectCommand = defineCommand({
  words: 'first-project',
  operands: 'NAME',
  summary: 'create the first project of an empty installation, with its keys',
  async run({ folder, values, operands: [name = ''] }) {
    const { postgresUrl } = findStores(folder, values);
    // The next call reports a fault of an idle connection.
    const postgres = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
    const registry = createRegistry({ postgres, now: Date.now });
    try {
      const { projectId, keys } = await createFirstProject(postgres, registry, name);
      return done({ projectId, name, keys }, [
        `Project ${projectId} (${name})`,
        `  public key          ${keys.public}`,
        `  administrative key  ${keys.administrative}`,
        'Keep the keys: they are shown only once.',
      ]);
    } finally {
      await registry.close();
      await postgres.close();
    }
  },
});

async function createFirstProject(postgres: Postgres, registry: Registry, name: string) {
  const [present] = await registry.projects();
  if (present !== undefined) throw refused(`There is a project already: ${present.id} (${present.name})`);
  // A project without keys would bar the way to another one.
  return postgres.transaction(async (tx) => {
    const inside = registry.inTransaction(tx);
    const { id: projectId } = await inside.createProject({ name });
    const forGames = await inside.createKey({
      projectId,
      kind: 'public',
      comment: 'For game builds',
      createdBy,
    });
    const forTools = await inside.createKey({
      projectId,
      kind: 'administrative',
      comment: 'For servers and tools',
      createdBy,
      scopes: ['all:write', personalScope],
    });
    return { projectId, keys: { public: forGames.text, administrative: forTools.text } };
  });
}
