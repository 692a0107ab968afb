import type { Tile } from '../use-dashboards.ts';

type Chart = Tile['chart'];

const charts: Readonly<Record<string, readonly Chart[]>> = {
  volume: ['line', 'bar', 'number', 'table'],
  players: ['line', 'bar', 'number', 'table'],
  breakdown: ['bar', 'table'],
  funnel: ['funnel', 'table'],
  retention: ['retention', 'table'],
  'session-length': ['line', 'number', 'table'],
};
const ofQueries: readonly Chart[] = ['table', 'line', 'bar', 'number'];

/** How the answer of an analysis can be drawn, the natural one first. Without an analysis: that of a query. */
export function chartsOf(analysis: string | undefined): readonly Chart[] {
  return analysis === undefined ? ofQueries : (charts[analysis] ?? ofQueries);
}
