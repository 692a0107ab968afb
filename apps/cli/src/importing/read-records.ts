import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { wrongUse } from '../command-line/command.ts';

export type ImportedRecord = Readonly<Record<string, unknown>>;

/** The records of a file of any length, one after the other. Throws with the line of the first invalid one. */
export async function* readRecords(format: 'ndjson' | 'csv', path: string): AsyncGenerator<ImportedRecord> {
  const stream = createReadStream(path, { encoding: 'utf8' });
  if (format === 'csv') yield* readCsv(stream);
  else yield* readLines(createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }));
}

async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<ImportedRecord> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    yield readObject(line, number);
  }
}

function readObject(line: string, number: number): ImportedRecord {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ImportedRecord;
  } catch {
    // Reported below, like any other value.
  }
  throw wrongUse(`line ${number} is not a JSON object`);
}

/** RFC 4180: quoted fields may contain commas, quotes and line ends. The first row names the columns. */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<ImportedRecord> {
  let names: readonly string[] | null = null;
  let number = 0;
  for await (const row of readRows(texts)) {
    number++;
    if (names === null) {
      names = row.map((name) => name.replace(/^\ufeff/, ''));
      continue;
    }
    if (row.length === 1 && row[0] === '') continue;
    if (row.length !== names.length)
      throw wrongUse(`row ${number} has ${row.length} columns, the first row has ${names.length}`);
    yield Object.fromEntries(names.map((name, at) => [name, row[at] ?? '']));
  }
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
