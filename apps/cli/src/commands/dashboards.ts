import { isDeepStrictEqual } from 'node:util';
import { allPages } from '../calling/all-pages.ts';
import type { Api, BodyOf, RowOf } from '../calling/api.ts';
import { done, tableLines, wrongUse } from '../command-line/command.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { jsonFilesIn, readJsonFile, writeJsonFiles } from '../command-line/json-folder.ts';
import { flagOption } from '../command-line/options.ts';

type Dashboard = RowOf<'GET /v1/dashboards'>;
type DashboardFile = BodyOf<'POST /v1/dashboards'>;

export const dashboardCommands = [
  defineCommand({
    words: 'dashboards list',
    summary: 'list the dashboards of the project',
    async run({ api }) {
      const dashboards = await allPages(api, 'GET /v1/dashboards');
      const rows = dashboards.map(({ id, name, content }) => [id, name, `${content.tiles.length} tiles`]);
      return done({ dashboards }, tableLines([['ID', 'NAME', ''], ...rows]));
    },
  }),
  defineCommand({
    words: 'dashboards show',
    operands: 'DASHBOARD-ID',
    summary: 'show the tiles of a dashboard',
    async run({ api, operands: [id = ''] }) {
      const dashboard = await api.call('GET /v1/dashboards/{id}', { params: { id } });
      const { name, content } = dashboard;
      const rows = content.tiles.map(({ title, chart }) => [title, chart]);
      return done(dashboard, [
        name,
        ...(content.description === undefined ? [] : [content.description]),
        ...tableLines([['TILE', 'CHART'], ...rows]),
      ]);
    },
  }),
  defineCommand({
    words: 'dashboards export',
    operands: 'DIR',
    summary: 'write every dashboard into a folder, one file each, with the text of its saved queries',
    async run({ api, operands: [folder = ''] }) {
      const dashboards = await allPages(api, 'GET /v1/dashboards');
      const queries = await allPages(api, 'GET /v1/saved-queries');
      const contents = new Map(queries.map(({ id, content }) => [id, content]));
      const taken = new Set<string>();
      const documents = dashboards.map(
        (dashboard) => [fileName(dashboard.name, taken), portable(dashboard, contents)] as const,
      );
      const files = writeJsonFiles(folder, documents);
      return done({ files }, files);
    },
  }),
  defineCommand({
    words: 'dashboards apply',
    operands: 'DIR',
    summary: 'create or change the dashboard of every .json file in a folder, by its name',
    options: { dryRun: flagOption('show what would change, and change nothing') },
    async run({ api, operands: [folder = ''], options: { dryRun } }) {
      const files = jsonFilesIn(folder).map(readDashboard);
      const present = new Map((await allPages(api, 'GET /v1/dashboards')).map((each) => [each.name, each]));
      const results: { name: string; outcome: string }[] = [];
      for (const file of files) {
        const found = present.get(file.name);
        const outcome = outcomeFor(found, file);
        if (!dryRun) await applyOne(api, found, { outcome, file });
        results.push({ name: file.name, outcome });
      }
      const lines = results.map(
        ({ name, outcome }) => `${name}: ${dryRun ? `would be ${outcome}` : outcome}`,
      );
      return done({ dryRun, results }, lines);
    },
  }),
];

/** A file contains the text of saved queries, because their ids differ in every project. */
function portable(
  { name, content }: Dashboard,
  queries: ReadonlyMap<string, RowOf<'GET /v1/saved-queries'>['content']>,
): DashboardFile {
  const tiles = content.tiles.map(({ savedQueryId, ...tile }) => {
    const query = savedQueryId === undefined ? undefined : queries.get(savedQueryId);
    return query === undefined ? tile : { ...tile, query };
  });
  return { name, content: { ...content, tiles } };
}

type Outcome = 'created' | 'changed' | 'unchanged';

function outcomeFor(found: Dashboard | undefined, file: DashboardFile): Outcome {
  if (found === undefined) return 'created';
  return isDeepStrictEqual(found.content, file.content) ? 'unchanged' : 'changed';
}

async function applyOne(
  api: Api,
  found: Dashboard | undefined,
  { outcome, file }: { readonly outcome: Outcome; readonly file: DashboardFile },
): Promise<void> {
  if (outcome === 'created') await api.call('POST /v1/dashboards', { body: file });
  if (outcome !== 'changed' || found === undefined) return;
  const { id, version } = found;
  const body = { version, content: file.content };
  await api.call('PATCH /v1/dashboards/{id}', { params: { id }, body });
}

/** A file name that every file system accepts, and that is used once. */
function fileName(name: string, taken: Set<string>): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
  const base = plain === '' ? 'dashboard' : plain;
  let free = base;
  for (let n = 2; taken.has(free); n++) free = `${base}-${n}`;
  taken.add(free);
  return free;
}

/** The server checks the content. */
function readDashboard(path: string): DashboardFile {
  const { name, content } = (readJsonFile(path) ?? {}) as Partial<DashboardFile>;
  if (typeof name === 'string' && typeof content === 'object') return { name, content };
  throw wrongUse(`${path} is not a dashboard: expected {"name", "content"}`);
}
