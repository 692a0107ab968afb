import type { KeyKind } from '@tickrate/contract';
import { uuidText } from '@tickrate/contract';
import { type EventSender, keyKindCodes } from './event-row.ts';

/** A stored value in readable form: 64-bit integers are bigint; times are RFC 3339; addresses and ids are text. */
export type StoredValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | StoredValue[]
  | Map<string, StoredValue>;

export interface DecodedRow extends EventSender {
  readonly start: number;
  readonly end: number;
  readonly chunkId: string;
  readonly project: string;
  readonly type: string;
  readonly version: number;
  readonly eventId: string;
  readonly receivedMs: number;
  readonly occurredMs: number;
  readonly clientMs: number | null;
  /** By dotted path. */
  readonly data: ReadonlyMap<string, StoredValue>;
}

const noUuid = '00000000-0000-0000-0000-000000000000';
const kindsByCode = new Map(Object.entries(keyKindCodes).map(([kind, code]) => [code, kind as KeyKind]));

/** Reads the rows of an inflated chunk. Throws a RangeError if the bytes are not rows. */
export function* readRows(bytes: Buffer): Generator<DecodedRow> {
  const cursor = new RowCursor(bytes);
  while (cursor.at < bytes.length) yield cursor.row();
}

type ReadValue = (cursor: RowCursor) => StoredValue;

/** Reads RowBinary. Throws a RangeError if the bytes are not a row. */
export class RowCursor {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  row(): DecodedRow {
    const start = this.at;
    const head = {
      chunkId: this.uuid(),
      project: this.text(),
      type: this.text(),
      version: this.bytes.readUInt16LE(this.skip(2)),
      eventId: this.uuid(),
      receivedMs: this.int64(),
      occurredMs: this.int64(),
      clientMs: this.bytes.readUInt8(this.skip(1)) === 1 ? null : this.int64(),
      keyKind: this.keyKind(),
      keyLine: this.keyLine(),
      sessionId: this.text(),
      accountId: this.text(),
      clientAddress: this.text(),
      sdkName: this.text(),
      sdkVersion: this.text(),
    };
    const data = new Map<string, StoredValue>();
    for (let left = this.varuint(); left > 0; left--) data.set(this.text(), this.type()(this));
    return { start, ...head, data, end: this.at };
  }

  /** Returns the offset of the next `count` bytes and moves the cursor after them. */
  skip(count: number): number {
    const at = this.at;
    this.at += count;
    if (this.at > this.bytes.length) throw new RangeError('the rows end in the middle of a value');
    return at;
  }

  varuint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes.readUInt8(this.skip(1));
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a length is too long');
  }

  text(): string {
    const length = this.varuint();
    const at = this.skip(length);
    return this.bytes.toString('utf8', at, at + length);
  }

  uuid(): string {
    return uuidText(this.bytes, this.skip(16));
  }

  int64(): number {
    return Number(this.bytes.readBigInt64LE(this.skip(8)));
  }

  keyKind(): KeyKind {
    const kind = kindsByCode.get(this.bytes.readUInt8(this.skip(1)));
    if (kind === undefined) throw new RangeError('an unknown kind of key');
    return kind;
  }

  keyLine(): string | null {
    const line = this.uuid();
    return line === noUuid ? null : line;
  }

  /** Reads a binary type code and returns the function that reads its values. */
  type(): ReadValue {
    const code = this.bytes.readUInt8(this.skip(1));
    switch (code) {
      case 0x1e:
        return listOf(this.type());
      case 0x20:
        return tupleOf(Array.from({ length: this.varuint() }, () => [this.text(), this.type()] as const));
      case 0x23:
        return nullable(this.type());
      case 0x27: {
        const [key, value] = [this.type(), this.type()];
        return mapOf(key, value);
      }
      case 0x13:
        this.skip(1);
        return (cursor) => new Date(cursor.int64()).toISOString();
      default: {
        const read = scalarReaders.get(code);
        if (read === undefined) throw new RangeError(`an unknown type code ${code}`);
        return read;
      }
    }
  }
}

const scalarReaders = new Map<number, ReadValue>([
  [0x04, (cursor) => cursor.bytes.readBigUInt64LE(cursor.skip(8))],
  [0x09, (cursor) => cursor.bytes.readInt32LE(cursor.skip(4))],
  [0x0a, (cursor) => cursor.bytes.readBigInt64LE(cursor.skip(8))],
  [0x0e, (cursor) => cursor.bytes.readDoubleLE(cursor.skip(8))],
  [
    0x10,
    (cursor) => new Date(cursor.bytes.readInt32LE(cursor.skip(4)) * 86_400_000).toISOString().slice(0, 10),
  ],
  [0x15, (cursor) => cursor.text()],
  [0x1d, (cursor) => cursor.uuid()],
  [0x28, (cursor) => [...cursor.bytes.subarray(cursor.skip(4), cursor.at)].reverse().join('.')],
  [0x29, (cursor) => ipv6Text(cursor)],
  [0x2d, (cursor) => cursor.bytes.readUInt8(cursor.skip(1)) === 1],
]);

/** Writes all eight groups. Only dead letters and tests read this form. */
function ipv6Text(cursor: RowCursor): string {
  const at = cursor.skip(16);
  return Array.from({ length: 8 }, (_, n) => cursor.bytes.readUInt16BE(at + n * 2).toString(16)).join(':');
}

function listOf(read: ReadValue): ReadValue {
  return (cursor) => {
    const items: StoredValue[] = [];
    for (let left = cursor.varuint(); left > 0; left--) items.push(read(cursor));
    return items;
  };
}

function mapOf(readKey: ReadValue, readValue: ReadValue): ReadValue {
  return (cursor) => {
    const entries = new Map<string, StoredValue>();
    for (let left = cursor.varuint(); left > 0; left--)
      entries.set(String(readKey(cursor)), readValue(cursor));
    return entries;
  };
}

function tupleOf(members: readonly (readonly [string, ReadValue])[]): ReadValue {
  return (cursor) => new Map(members.map(([name, read]) => [name, read(cursor)]));
}

function nullable(read: ReadValue): ReadValue {
  return (cursor) => (cursor.bytes.readUInt8(cursor.skip(1)) === 1 ? null : read(cursor));
}
