import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { refused } from '../command-line/command.ts';
import { parseJson } from './parse-json.ts';

export type ImportedRecord = Readonly<Record<string, unknown>>;

/**
 * A record with its number in the file: the line of NDJSON, or the row of CSV. `fault` is the reason why it has no
 * value.
 */
export type NumberedRecord = { readonly number: number } & (
  | { readonly record: ImportedRecord; readonly fault: null }
  | { readonly record: null; readonly fault: string }
);

/** The records of a file of any length, one after the other. Empty lines are skipped. */
export async function* readRecords(format: 'ndjson' | 'csv', path: string): AsyncGenerator<NumberedRecord> {
  const text = openText(path);
  if (format === 'csv') yield* readCsv(text);
  else yield* readLines(text);
}

async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let number = 0;
  for await (const line of splitLines(texts)) {
    number++;
    const text = number === 1 ? withoutMark(line) : line;
    if (text.trim() !== '') yield { number, ...readObject(text) };
  }
}

/** JSON texts can contain every line separator of Unicode except the line feed. */
async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const text of texts) {
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    for (const other of others) {
      yield pieces.join('');
      pieces = [other];
    }
  }
  yield pieces.join('');
}

function readObject(line: string) {
  try {
    const value = parseJson(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { record: value as ImportedRecord, fault: null };
  } catch {
    // Reported below, like any other value.
  }
  return { record: null, fault: '/: is not a JSON object' };
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** RFC 4180: quoted fields may contain commas, quotes and line ends. The first row names the columns. */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let names: readonly string[] | null = null;
  let number = 0;
  for await (const row of readRows(texts)) {
    number++;
    if (names === null) names = row.map(withoutMark);
    else if (row.length > 1 || row[0] !== '') yield { number, ...readColumns(names, row) };
  }
}

function readColumns(names: readonly string[], row: readonly string[]) {
  if (row.length !== names.length)
    return { record: null, fault: '/: has another number of columns than the first row' };
  return { record: Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])), fault: null };
}

async function* readRows(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  const reader = new CsvReader();
  for await (const text of texts) {
    for (const character of text) {
      const row = reader.read(character);
      if (row !== null) yield row;
    }
  }
  const last = reader.end();
  if (last !== null) yield last;
}

/** Reads one character at a time. In a quoted field, a quote ends the field or is the first half of two. */
class CsvReader {
  #row: string[] = [];
  #field = '';
  #isQuoted = false;
  #wasQuote = false;

  /** The row that this character ends, or null. */
  read(character: string): readonly string[] | null {
    const wasQuote = this.#wasQuote;
    this.#wasQuote = false;
    if (character === '"') this.#readQuote(wasQuote);
    else if (this.#isQuoted && !wasQuote) this.#field += character;
    else {
      this.#isQuoted = false;
      return this.#readPlain(character);
    }
    return null;
  }

  /** A last row without a line end, or null. */
  end(): readonly string[] | null {
    return this.#row.length > 0 || this.#field !== '' ? [...this.#row, this.#field] : null;
  }

  #readQuote(wasQuote: boolean): void {
    if (wasQuote) this.#field += '"';
    else if (this.#isQuoted) this.#wasQuote = true;
    else this.#isQuoted = true;
  }

  #readPlain(character: string): readonly string[] | null {
    if (character !== ',' && character !== '\n') {
      if (character !== '\r') this.#field += character;
      return null;
    }
    this.#row.push(this.#field);
    this.#field = '';
    if (character === ',') return null;
    const row = this.#row;
    this.#row = [];
    return row;
  }
}

const unpackers: Readonly<Record<string, () => Transform>> = {
  '.gz': createGunzip,
  '.br': createBrotliDecompress,
  '.zst': createZstdDecompress,
};

/** The text of a file, in pieces. Files that end in .gz, .br and .zst are unpacked. */
async function* openText(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const unpack = unpackers[extname(path).toLowerCase()]?.();
  // The reader of the last stream gets every fault.
  const stream = unpack === undefined ? file : pipeline(file, unpack, () => undefined);
  try {
    yield* stream.setEncoding('utf8') as AsyncIterable<string>;
  } catch (error) {
    throw refused(`${path} cannot be read to its end: ${(error as Error).message}`, error);
  }
}
