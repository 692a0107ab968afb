import type { BodyOf, RowOf } from '../../api/call.ts';
import { download } from '../../export/download.ts';
import type { DashboardRow } from './use-dashboards.ts';

/** As `tickrate dashboards export` writes it: with the text of the saved queries, whose ids other projects don't know. */
export function exportDashboard(
  { name, content }: DashboardRow,
  queries: readonly RowOf<'GET /v1/saved-queries'>[],
): void {
  const tiles = content.tiles.map(({ savedQueryId, ...tile }) => {
    const query = queries.find(({ id }) => id === savedQueryId)?.content;
    return query === undefined ? tile : { ...tile, query };
  });
  const text = `${JSON.stringify({ name, content: { ...content, tiles } }, null, 2)}\n`;
  download(`${fileName(name)}.json`, text);
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
  return plain === '' ? 'dashboard' : plain;
}

/** Null if the text is no dashboard. The server checks its content. */
export function readDashboardFile(text: string): BodyOf<'POST /v1/dashboards'> | null {
  try {
    const { name, content } = JSON.parse(text) ?? {};
    const isOne = typeof name === 'string' && typeof content === 'object' && content !== null;
    return isOne ? { name, content } : null;
  } catch {
    return null;
  }
}
