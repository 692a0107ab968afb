import type { Registry } from '@tickrate/registry';
import { emberEventTypes } from './ember-event-types.ts';
import { emberDashboards, emberQueries, emberTour } from './ember-saved.ts';

type DemoRegistry = Pick<
  Registry,
  'declareEventType' | 'eventTypes' | 'save' | 'savedPage' | 'createKey' | 'keys' | 'revokeKey'
>;

export const demoName = 'Ember Arena';
const createdBy = 'demo';
const keyComment = 'Simulated games';
const mostSaved = 200;

/** Declares what is missing and saves the queries and dashboards, once. */
export async function furnishDemo(registry: DemoRegistry, projectId: string): Promise<void> {
  const declared = new Set((await registry.eventTypes(projectId)).map(({ name }) => name));
  for (const [name, { description, declaration }] of Object.entries(emberEventTypes)) {
    if (declared.has(name)) continue;
    const result = await registry.declareEventType({ projectId, name, description, declaration });
    if (!result.ok) throw new Error(`The event type ${name} of the demo was refused`, { cause: result });
  }
  await saveMissing(registry, projectId);
}

async function saveMissing(registry: DemoRegistry, projectId: string): Promise<void> {
  const queries = await idsOf(registry, projectId, 'query');
  for (const { name, sql } of emberQueries) {
    if (queries.has(name)) continue;
    const { id } = await registry.save({ projectId, kind: 'query', name, content: { sql }, createdBy });
    queries.set(name, id);
  }
  const dashboards = await idsOf(registry, projectId, 'dashboard');
  for (const { name, description, days, tiles } of emberDashboards.filter(
    (each) => !dashboards.has(each.name),
  )) {
    const content = {
      description,
      range: { lastSeconds: days * 86_400 },
      tiles: tiles.map(({ query, ...tile }) => ({
        ...tile,
        ...(query === undefined ? {} : { savedQueryId: queries.get(query) }),
      })),
    };
    await registry.save({ projectId, kind: 'dashboard', name, content, createdBy });
  }
}

async function idsOf(registry: DemoRegistry, projectId: string, kind: 'query' | 'dashboard') {
  const saved = await registry.savedPage({ projectId, kind, limit: mostSaved });
  return new Map(saved.map(({ name, id }) => [name, id]));
}

/** Five links of the console, below its address. */
export async function readTour(registry: DemoRegistry, projectId: string) {
  const dashboards = await idsOf(registry, projectId, 'dashboard');
  return emberTour.map(({ id, title, text, path }) => ({
    id,
    title,
    text,
    path: `/p/${projectId}/${path.replace(/\{([^}]+)\}/, (_, name: string) => dashboards.get(name) ?? '')}`,
  }));
}

/** The key of the simulated games. Its text is not kept, so each start makes a new one. */
export async function replaceKey(registry: DemoRegistry, projectId: string): Promise<string> {
  await revokeKeys(registry, projectId);
  const { text } = await registry.createKey({ projectId, kind: 'public', comment: keyComment, createdBy });
  return text;
}

export async function revokeKeys(registry: DemoRegistry, projectId: string): Promise<void> {
  for (const key of await registry.keys(projectId)) {
    if (key.comment === keyComment && key.revokedMs === null) await registry.revokeKey(key.id);
  }
}
