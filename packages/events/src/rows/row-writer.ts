/**
 * A growing buffer of RowBinary. Written bytes stay valid until `reset`. Set `at` back to drop the last writes. Readers
 * of lists stop when `at` exceeds `most`. The generated readers leave their last results in `leaves`, `textAt`,
 * `timeMs` and `occurredMs`.
 */
export class RowWriter {
  bytes: Buffer;
  view: DataView;
  at = 0;
  most = Number.POSITIVE_INFINITY;
  leaves = 0;
  textAt = 0;
  timeMs = Number.NaN;
  occurredMs = Number.NaN;
  /** Rows since `reset` whose time was limited. */
  clamped = 0;

  constructor(initialBytes = 64 * 1024) {
    this.bytes = Buffer.allocUnsafeSlow(initialBytes);
    this.view = new DataView(this.bytes.buffer);
  }

  reset(): void {
    this.at = 0;
    this.clamped = 0;
  }

  reserve(count: number): void {
    if (this.at + count > this.bytes.length) this.grow(count);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.at++] = value;
  }

  uint16(value: number): void {
    this.reserve(2);
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }

  int32(value: number): void {
    this.reserve(4);
    this.view.setInt32(this.at, value, true);
    this.at += 4;
  }

  /** Any integer that a double holds exactly. */
  int64(value: number): void {
    this.reserve(8);
    this.view.setUint32(this.at, value >>> 0, true);
    this.view.setInt32(this.at + 4, Math.floor(value / 4_294_967_296), true);
    this.at += 8;
  }

  wide(value: bigint): void {
    this.reserve(8);
    this.view.setBigInt64(this.at, BigInt.asIntN(64, value), true);
    this.at += 8;
  }

  float64(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }

  /** Short constants, such as a path and its type code. */
  put(source: Uint8Array): void {
    const length = source.length;
    this.reserve(length);
    const { bytes, at } = this;
    for (let i = 0; i < length; i++) bytes[at + i] = source[i] ?? 0;
    this.at = at + length;
  }

  /** A String: its length and `length` bytes of `source`. */
  text(source: Uint8Array, start: number, length: number): void {
    this.reserve(length + 5);
    this.varuint(length);
    const { bytes, at } = this;
    this.textAt = at;
    if (length < 48) {
      for (let i = 0; i < length; i++) bytes[at + i] = source[start + i] ?? 0;
    } else {
      bytes.set(source.subarray(start, start + length), at);
    }
    this.at = at + length;
  }

  varuint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest > 0x7f) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.at++] = rest;
  }

  /** A count that is known only after the counted values are written. */
  openCount(): number {
    this.reserve(1);
    return this.at++;
  }

  closeCount(openedAt: number, count: number): void {
    if (count < 0x80) {
      this.bytes[openedAt] = count;
      return;
    }
    const end = this.at;
    this.varuint(count);
    const extra = this.at - end - 1;
    this.bytes.copyWithin(openedAt + 1 + extra, openedAt + 1, end);
    this.at = openedAt;
    this.varuint(count);
    this.at = end + extra;
  }

  /** The bytes of the last written text, as a key for comparisons. */
  lastText(): string {
    return this.bytes.toString('latin1', this.textAt, this.at);
  }

  private grow(count: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + count));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }
}
