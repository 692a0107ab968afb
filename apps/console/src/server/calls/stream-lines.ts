import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { answered, type RequestContext } from '@tickrate/platform';

/**
 * Answers with lines of JSON as they are made, and `{"complete":true}` as the last one: a fault midway cuts the answer
 * off before it. The signal fires when the client is gone.
 */
export async function streamLines(
  { response }: RequestContext,
  lines: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<typeof answered> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, ['Content-Type', 'application/x-ndjson', 'Cache-Control', 'no-store']);
  const written = Readable.from(withEnd(lines(gone.signal)));
  await pipeline(written, response).catch(() => response.destroy());
  return answered;
}

async function* withEnd(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
  yield '{"complete":true}\n';
}
