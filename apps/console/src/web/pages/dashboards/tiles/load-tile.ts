import type { FilledTile } from '../../../../tiles/fill-tile.ts';
import { type AnswerOf, type BodyOf, call } from '../../../api/call.ts';
import type { JsonAnswer } from '../../../results/read-result.ts';
import { type AnalysisName, analyses } from '../../explore/explore-search.ts';

interface Named<P extends string> {
  readonly of: P;
  readonly answer: AnswerOf<`POST /v1/analyses/${P}` & `POST /v1/analyses/${AnalysisName}`>;
}

/** What was answered for a tile, by what it asked. */
export type TileAnswer =
  | { readonly of: 'query'; readonly answer: JsonAnswer }
  | { [P in AnalysisName]: Named<P> }[AnalysisName];

/** Null for an analysis that no tile can show. */
export function nameTileAnswer(analysis: string | undefined, answer: unknown): TileAnswer | null {
  // The server checks every answer against its operation, which this type is made from.
  if (analysis === undefined) return { of: 'query', answer: answer as JsonAnswer };
  const name = analyses.find((each) => each === analysis);
  return name === undefined ? null : ({ of: name, answer } as TileAnswer);
}

interface Sent {
  readonly projectId: string;
  readonly signal: AbortSignal;
}

/** Asks what a tile of a project stands for. The server checks its parameters. */
export async function askTile(filled: FilledTile, sent: Sent): Promise<unknown> {
  if (filled.kind === 'query') return call('POST /v1/query', { body: filled.body, ...sent });
  const body = filled.body as unknown as BodyOf<'POST /v1/analyses/volume'>;
  return call(`POST /v1/analyses/${filled.name}` as 'POST /v1/analyses/volume', { body, ...sent });
}
