import { RowCursor } from './read-rows.ts';
import { RowWriter } from './row-writer.ts';

export interface RowMask {
  /** Identifies the masked rows, in the stored form of a UUID. */
  readonly chunkId: Uint8Array;
  /** The stored paths with personal data. Null masks every member, for an event with an unknown declaration. */
  personalPaths(type: string, version: number): ReadonlySet<string> | null;
}

/**
 * Returns the rows without account, session, client address and personal members. All other members keep their bytes
 * and so their exact types. Throws a RangeError if the bytes are not rows.
 */
export function maskRows(bytes: Buffer, mask: RowMask): Buffer {
  const out = new RowWriter(bytes.length);
  const cursor = new RowCursor(bytes);
  while (cursor.at < bytes.length) maskRow(cursor, out, mask);
  return Buffer.from(out.bytes.subarray(0, out.at));
}

function maskRow(cursor: RowCursor, out: RowWriter, mask: RowMask): void {
  const copyFrom = (start: number) => {
    out.reserve(cursor.at - start);
    out.bytes.set(cursor.bytes.subarray(start, cursor.at), out.at);
    out.at += cursor.at - start;
  };
  cursor.skip(16);
  out.put(mask.chunkId);
  const kept = cursor.at;
  cursor.text();
  const type = cursor.text();
  const version = cursor.bytes.readUInt16LE(cursor.skip(2));
  skipIdentityAndTimes(cursor);
  copyFrom(kept);
  for (const _ of ['session', 'account', 'client address']) {
    cursor.text();
    out.varuint(0);
  }
  const sdk = cursor.at;
  cursor.text();
  cursor.text();
  copyFrom(sdk);
  maskMembers(cursor, out, mask.personalPaths(type, version));
}

/** Event id, received time, occurred time, the client's time, the kind of key and its rotation line. */
function skipIdentityAndTimes(cursor: RowCursor): void {
  cursor.skip(16 + 8 + 8);
  if (cursor.bytes.readUInt8(cursor.skip(1)) === 0) cursor.skip(8);
  cursor.skip(1 + 16);
}

function maskMembers(cursor: RowCursor, out: RowWriter, personal: ReadonlySet<string> | null): void {
  const kept: Buffer[] = [];
  for (let left = cursor.varuint(); left > 0; left--) {
    const start = cursor.at;
    const path = cursor.text();
    cursor.type()(cursor);
    if (personal !== null && !personal.has(path)) kept.push(cursor.bytes.subarray(start, cursor.at));
  }
  out.varuint(kept.length);
  for (const member of kept) {
    out.reserve(member.length);
    out.bytes.set(member, out.at);
    out.at += member.length;
  }
}
