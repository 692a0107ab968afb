import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyEnding, apiKeyPrefix, personalScope } from '@tickrate/contract';
import { type EventTypeFile, parseEventTypeFile } from '@tickrate/events';
import { type FirstProject, readInstallationFile } from '@tickrate/platform';
import { createRegistry, type Registry } from '@tickrate/registry';
import { keptSecret } from './data-folder.ts';

export interface EnsuredProject {
  readonly project: FirstProject;
  /** The objects that this start created: none on an ordinary start. */
  readonly made: { readonly project: boolean; readonly keys: number; readonly eventTypes: number };
}

const createdBy = 'standalone';
const sampleFolder = join(import.meta.dirname, '../..', 'event-types');

/** The stored password of the administrator, or a new one. A new one is stored at once, in case the start is killed. */
export function administratorOf(folder: string): FirstProject['admin'] {
  const kept = readInstallationFile(folder)?.admin;
  if (kept?.email && kept.password) return kept;
  return { email: 'admin@example.com', password: keptSecret(folder, 'admin-password') };
}

/**
 * The project that the file of an earlier start names, or the first existing one, or a new one in test mode; with keys
 * and a few declared event types. The next start completes one that was killed.
 */
export async function ensureFirstProject(
  { folder, now }: { readonly folder: string; readonly now: () => number },
  postgresUrl: string,
): Promise<EnsuredProject> {
  // What it is asked for fails in its own call.
  const registry = createRegistry({ postgresUrl, now, randomBytes, onFault: () => undefined });
  try {
    return await ensureProject(registry, folder);
  } finally {
    await registry.close();
  }
}

async function ensureProject(registry: Registry, folder: string): Promise<EnsuredProject> {
  const known = readInstallationFile(folder);
  const projects = await registry.projects();
  const found = projects.find(({ id }) => id === known?.projectId) ?? projects[0];
  const projectId = found?.id ?? (await registry.createProject({ name: 'My game', testMode: true })).id;
  const kept = known?.projectId === projectId ? known : {};
  // The file is written last: until it contains the project, the first start is not complete.
  const eventTypes = kept.projectId === undefined ? await declareSamples(registry, projectId) : 0;
  const { keys, created } = await ensureKeys(registry, projectId, kept.keys);
  return {
    project: { projectId, keys, admin: administratorOf(folder) },
    made: { project: found === undefined, keys: created, eventTypes },
  };
}

/** The file gets a new key for one that was revoked or rotated, or has an end. */
async function ensureKeys(
  registry: Registry,
  projectId: string,
  kept: FirstProject['keys'] | undefined,
): Promise<{ readonly keys: FirstProject['keys']; readonly created: number }> {
  const lasting = (await registry.keys(projectId)).filter(
    ({ revokedMs, expiresMs }) => revokedMs === null && expiresMs === null,
  );
  const lasts = (text: string) =>
    lasting.some(({ prefix, ending }) => prefix === apiKeyPrefix(text) && ending === apiKeyEnding(text));
  let created = 0;
  const ensure = async (
    text: string | undefined,
    key: Omit<Parameters<Registry['createKey']>[0], 'projectId' | 'createdBy'>,
  ) => {
    if (text !== undefined && lasts(text)) return text;
    created++;
    return (await registry.createKey({ projectId, createdBy, ...key })).text;
  };
  const scopes = ['all:write', personalScope];
  const [forGames, forServers] = await Promise.all([
    ensure(kept?.public, { kind: 'public', comment: 'For game builds' }),
    ensure(kept?.administrative, { kind: 'administrative', comment: 'For servers and tools', scopes }),
  ]);
  return { keys: { public: forGames, administrative: forServers }, created };
}

/** An existing declaration with the same name is unchanged. */
async function declareSamples(registry: Registry, projectId: string): Promise<number> {
  const declared = new Set((await registry.eventTypes(projectId)).map(({ name }) => name));
  const missing = readSamples().filter(({ name }) => !declared.has(name));
  await Promise.all(
    missing.map(async (sample) => {
      const result = await registry.declareEventType({ projectId, ...sample });
      if (!result.ok) throw new Error(`The sample ${sample.name} was refused`, { cause: result });
    }),
  );
  return missing.length;
}

function readSamples(): EventTypeFile[] {
  return readdirSync(sampleFolder).map((name) => {
    const parsed = parseEventTypeFile(readFileSync(join(sampleFolder, name), 'utf8'));
    if (!parsed.ok) throw new Error(`The sample ${name} declares nothing`, { cause: parsed.faults });
    return parsed.file;
  });
}
