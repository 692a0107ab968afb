import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPermitted, parseExactDocument, personalScope } from '@tickrate/contract';
import { answered, type RequestContext } from '@tickrate/platform';
import type { ProjectQuery, QueryCost, QueryFormat, QueryResult } from '@tickrate/warehouse';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { maskedTypes, viewsOf } from '../event-types/personal-members.ts';
import { queryOperations as operations } from './query-operations.ts';
import { askerOf, refusalOf, unlessLeft } from './query-outcome.ts';
import { withoutFormulas } from './without-formulas.ts';

export function createQueryRoutes(parts: ConsoleParts): ManagedRoute[] {
  const { registry, warehouse } = parts;
  return [
    managed(operations.runQuery, async ({ caller, context, bytes, body: { sql, format = 'JSON' } }) => {
      const masked = await maskedTypes(caller, registry);
      const query = { sql, format, parameters: exactParameters(bytes) };
      const result = await askRows(parts, { caller, context, masked, query });
      if (result !== null) await sendRows(context, result, changedIn(format, result.cost));
      return answered;
    }),
    managed(operations.getQuerySchema, async ({ caller }) => {
      const isWhole = isPermitted(caller.scopes, personalScope);
      const views = await viewsOf(caller.projectId, registry);
      const tables = warehouse.describeTables(views, isWhole ? 'whole' : 'masked');
      return { tables, functions: await warehouse.describeFunctions() };
    }),
  ];
}

type Rows = Extract<QueryResult, { kind: 'rows' }>;

interface Asked {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly masked: ProjectQuery['masked'];
  readonly query: Pick<ProjectQuery, 'sql' | 'format' | 'parameters' | 'catalogue'>;
}

/** Runs SQL of a caller in its project. Null if the client has disconnected. Throws 1003, 6001 or 6002. */
export async function askRows(
  parts: ConsoleParts,
  { caller, context, masked, query }: Asked,
): Promise<Rows | null> {
  const asker = await askerOf(parts, caller, context);
  const result = await unlessLeft(parts.warehouse.runQuery({ ...asker, ...query, masked }), asker.signal);
  if (result === null || result.kind === 'rows') return result;
  throw refusalOf(result, 'sql');
}

/** The body was already checked. This keeps every digit of integers beyond 2^53, such as Steam ids. */
function exactParameters(bytes: Buffer): Record<string, unknown> | undefined {
  const body = parseExactDocument(bytes);
  const parameters = body instanceof Map ? body.get('parameters') : undefined;
  return parameters instanceof Map ? Object.fromEntries(parameters) : undefined;
}

function changedIn(format: QueryFormat, cost: () => Promise<QueryCost>): Transform {
  if (format === 'JSON') return appendCost(cost);
  return format === 'CSV' ? withoutFormulas() : new PassThrough();
}

/** `shown` changes the answer of ClickHouse. */
export async function sendRows(
  context: RequestContext,
  { stream, contentType }: Pick<Rows, 'stream' | 'contentType'>,
  shown: Transform = new PassThrough(),
): Promise<void> {
  const { response } = context;
  response.writeHead(200, ['Content-Type', contentType, 'Cache-Control', 'no-store']);
  const count = new PassThrough();
  count.on('data', (part: Buffer) => {
    context.answerBytes += part.length;
  });
  // A failure cuts the answer off. It has no Content-Length, so every client sees that the end is missing.
  await pipeline(stream, shown, count, response).catch(() => response.destroy());
}

/** The end of ClickHouse's JSON: a line break, the closing brace, a line break. */
const heldBytes = 8;

/** Adds the member `cost` to the end of a JSON object while it passes. Changes nothing in an answer that was cut off. */
function appendCost(cost: () => Promise<QueryCost>): Transform {
  let held = Buffer.alloc(0);
  return new Transform({
    transform(part: Buffer, _, done) {
      const all = Buffer.concat([held, part]);
      const cut = Math.max(0, all.byteLength - heldBytes);
      held = Buffer.from(all.subarray(cut));
      done(null, all.subarray(0, cut));
    },
    flush(done) {
      const end = held.toString();
      if (!/\}\s*$/.test(end)) {
        done(null, held);
        return;
      }
      cost().then(
        (known) => done(null, end.replace(/\s*\}\s*$/, `,\n\n\t"cost": ${JSON.stringify(known)}\n}\n`)),
        (error: unknown) => done(error instanceof Error ? error : new Error('no cost', { cause: error })),
      );
    },
  });
}
