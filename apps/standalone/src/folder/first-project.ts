import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyEnding, apiKeyPrefix, personalScope } from '@tickrate/contract';
import { type EventTypeFile, parseEventTypeFile } from '@tickrate/events';
import type { FirstProject } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';

export interface EnsuredProject {
  readonly project: FirstProject;
  /** The objects that this start created: none on an ordinary start. */
  readonly made: { readonly project: boolean; readonly keys: number; readonly eventTypes: number };
}

const createdBy = 'standalone';
const sampleFolder = join(import.meta.dirname, '../..', 'event-types');

/**
 * The project that the file names, or the first existing one, or a new one in test mode; with keys and a few declared
 * event types. The next start completes one that was killed. `known` is the file of an earlier start.
 */
export async function ensureFirstProject(
  registry: Registry,
  admin: FirstProject['admin'],
  known: Partial<FirstProject> | null,
): Promise<EnsuredProject> {
  const projects = await registry.projects();
  const found = projects.find(({ id }) => id === known?.projectId) ?? projects[0];
  const projectId = found?.id ?? (await registry.createProject({ name: 'My game', testMode: true })).id;
  const kept = known?.projectId === projectId ? known : {};
  // The file is written last: until it contains the project, the first start is not complete.
  const eventTypes = kept.projectId === undefined ? await declareSamples(registry, projectId) : 0;
  const { keys, created } = await ensureKeys(registry, projectId, kept.keys);
  return {
    project: { projectId, keys, admin },
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
