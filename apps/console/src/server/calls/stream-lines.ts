import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answered, type RequestContext } from '@tickrate/platform';
import { signalOf } from '../queries/query-outcome.ts';

/**
 * Streams lines of JSON, and `{"complete":true}` as the last line. A failure ends the answer before that line. The
 * signal fires when the client disconnects.
 */
export async function streamLines(
  { response }: RequestContext,
  lines: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<typeof answered> {
  const signal = signalOf({ response });
  response.writeHead(200, ['Content-Type', 'application/x-ndjson', 'Cache-Control', 'no-store']);
  const written = Readable.from(withEnd(lines(signal)));
  await pipeline(written, response).catch(() => response.destroy());
  return answered;
}

async function* withEnd(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
  yield '{"complete":true}\n';
}
