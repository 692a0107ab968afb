import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { Code, fault } from '../answer/http-fault.ts';
import { parseStatement } from '../sql/parse-statement.ts';
import { isData, type Statement } from '../sql/statement.ts';
import { type Coding, decoder, requestCoding } from './content-coding.ts';
import type { Spool, SpooledFile } from './spool.ts';

/** The statement, with the data of an insert in a file (still packed if the engine unpacks it). */
export interface Received {
  /** The SQL as the client sent it, without the data of an insert. */
  readonly text: string;
  readonly statement: Statement;
  readonly data: SpooledFile | undefined;
  readonly coding: Coding | undefined;
}

const HEAD_BYTES = 256 * 1024;
const TEXT_LIMIT_BYTES = 64 * 1024 * 1024;

/** The SQL is `query` of the URL, a line break, and the body. For an INSERT, the rest of the body is data. */
export async function receive(request: IncomingMessage, query: string, spool: Spool): Promise<Received> {
  // A form was read before, and its fields are in the parameters.
  if (request.readableEnded) return whole(latin1(query));
  const coding = requestCoding(request.headers['content-encoding']);
  const asked = latin1(query);
  const alone = parseStatement(asked);
  if (isData(alone) && alone.dataStart >= asked.length) {
    return { text: query, statement: alone, data: await spool.store(request), coding };
  }
  const body = coding === undefined ? request : decoded(request, coding);
  return fromText(asked === '' ? '' : `${asked}\n`, body, spool);
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

async function fromText(prefix: string, body: AsyncIterable<Uint8Array>, spool: Spool): Promise<Received> {
  const chunks = body[Symbol.asyncIterator]();
  const { head, ended } = await readHead(chunks, HEAD_BYTES);
  const text = prefix + head.toString('latin1');
  const statement = parseStatement(text);
  if (isData(statement)) {
    const first = Buffer.from(text.slice(statement.dataStart), 'latin1');
    const data = await spool.store(joined(first, chunks));
    return { text: utf8(text.slice(0, statement.dataStart)), statement, data, coding: undefined };
  }
  if (ended) return { text: utf8(text), statement, data: undefined, coding: undefined };
  const rest = await readHead(chunks, TEXT_LIMIT_BYTES);
  if (!rest.ended) throw fault(Code.queryIsTooLarge, `The query is longer than ${TEXT_LIMIT_BYTES} bytes`);
  return whole(text + rest.head.toString('latin1'));
}

function whole(text: string): Received {
  return { text: utf8(text), statement: parseStatement(text), data: undefined, coding: undefined };
}

function utf8(latin1Text: string): string {
  return Buffer.from(latin1Text, 'latin1').toString().trimEnd();
}

function decoded(request: IncomingMessage, coding: Coding): AsyncIterable<Uint8Array> {
  const stream = decoder(coding);
  pipeline(request, stream, () => undefined);
  return unpacked(stream, coding);
}

async function* unpacked(stream: AsyncIterable<Uint8Array>, coding: Coding): AsyncIterable<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault(Code.cannotDecompress, `The body is not valid ${coding}: ${reason}`);
  }
}

async function readHead(
  chunks: AsyncIterator<Uint8Array>,
  limit: number,
): Promise<{ head: Buffer; ended: boolean }> {
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < limit; ) {
    const next = await chunks.next();
    if (next.done) return { head: Buffer.concat(parts), ended: true };
    parts.push(next.value);
    bytes += next.value.length;
  }
  return { head: Buffer.concat(parts), ended: false };
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
