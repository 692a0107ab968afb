import type { Registry } from '@tickrate/registry';
import { dashboards, queries, tour } from './dashboards.ts';
import { eventTypes } from './event-types.ts';

const createdBy = 'demo';
const keyComment = 'Simulated games';
const mostSaved = 200;

/** Declares and saves what is missing. Returns the tour: links of the console, below its address. */
export async function furnish(registry: Registry, projectId: string) {
  const declared = new Set((await registry.eventTypes(projectId)).map(({ name }) => name));
  for (const [name, { description, declaration }] of Object.entries(eventTypes)) {
    if (declared.has(name)) continue;
    const result = await registry.declareEventType({ projectId, name, description, declaration });
    if (!result.ok) throw new Error(`The event type ${name} of the demo was refused`, { cause: result });
  }
  const queryIds = await idsOf(registry, projectId, 'query');
  for (const { name, sql } of queries) {
    if (queryIds.has(name)) continue;
    const { id } = await registry.save({ projectId, kind: 'query', name, content: { sql }, createdBy });
    queryIds.set(name, id);
  }
  const dashboardIds = await idsOf(registry, projectId, 'dashboard');
  for (const { name, description, days, tiles } of dashboards) {
    if (dashboardIds.has(name)) continue;
    const content = {
      description,
      range: { lastSeconds: days * 86_400 },
      tiles: tiles.map(({ query, ...tile }) => ({
        ...tile,
        ...(query === undefined ? {} : { savedQueryId: queryIds.get(query) }),
      })),
    };
    const { id } = await registry.save({ projectId, kind: 'dashboard', name, content, createdBy });
    dashboardIds.set(name, id);
  }
  return tour.map(({ path, ...stop }) => ({
    ...stop,
    path: `/p/${projectId}/${path.replace(/\{([^}]+)\}/, (_, name: string) => dashboardIds.get(name) ?? '')}`,
  }));
}

async function idsOf(registry: Registry, projectId: string, kind: 'query' | 'dashboard') {
  const saved = await registry.savedPage({ projectId, kind, limit: mostSaved });
  return new Map(saved.map(({ name, id }) => [name, id]));
}

/** The key of the simulated games. Its text is not kept, so each start makes a new one. */
export async function replaceKey(registry: Registry, projectId: string): Promise<string> {
  for (const key of await registry.keys(projectId)) {
    if (key.comment === keyComment && key.revokedMs === null) await registry.revokeKey({ keyId: key.id });
  }
  const { text } = await registry.createKey({ projectId, kind: 'public', comment: keyComment, createdBy });
  return text;
}
