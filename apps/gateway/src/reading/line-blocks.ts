/** Lines that are stored together, and recognised together in a repeat. */
export interface LineBlock {
  readonly body: Buffer;
  /** Counted over the whole body, from 0. */
  readonly number: number;
  readonly firstIndex: number;
  readonly lines: number;
}

export interface LineBlocksOptions {
  readonly blockBytes: number;
  readonly blockLines: number;
  /** Of one line. The rest is dropped: the line is rejected as too long and uses no memory. */
  readonly lineBytes: number;
}

const newline = 0x0a;

/**
 * Cuts a body that arrives in pieces into blocks of whole lines, without empty ones. The end of a block depends only on
 * its lines, never on the pieces: a repeat has the same blocks.
 */
export class LineBlocks {
  readonly #options: LineBlocksOptions;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isBlank = true;
  #block: Buffer[] = [];
  #blockBytes = 0;
  #blockLines = 0;
  #number = 0;
  #index = 0;

  constructor(options: LineBlocksOptions) {
    this.#options = options;
  }

  /**
   * The blocks that are complete with this piece. A full block is complete only when another line follows it, so that a
   * body of one block is known to its end before anything of it is stored.
   */
  *push(piece: Buffer): Generator<LineBlock> {
    let at = 0;
    while (at < piece.length) {
      const end = piece.indexOf(newline, at);
      this.#append(piece.subarray(at, end < 0 ? piece.length : end));
      if (end < 0) return;
      yield* this.#endLine();
      at = end + 1;
    }
  }

  /** The whole lines so far, even without a complete block; null if there are none. A repeat may be cut elsewhere. */
  flush(): LineBlock | null {
    return this.#blockLines === 0 ? null : this.#take();
  }

  /** The rest at the end of the body. */
  *end(): Generator<LineBlock> {
    yield* this.#endLine();
    const rest = this.flush();
    if (rest !== null) yield rest;
  }

  #append(part: Buffer): void {
    const kept = part.subarray(0, Math.max(0, this.#options.lineBytes + 1 - this.#lineBytes));
    if (kept.length === 0) return;
    this.#isBlank &&= isBlank(kept);
    this.#lineBytes += kept.length;
    this.#line.push(kept);
  }

  *#endLine(): Generator<LineBlock> {
    if (!this.#isBlank) {
      if (this.#isFull()) yield this.#take();
      this.#block.push(...this.#line, lineEnd);
      this.#blockBytes += this.#lineBytes + 1;
      this.#blockLines += 1;
    }
    this.#line = [];
    this.#lineBytes = 0;
    this.#isBlank = true;
  }

  #isFull(): boolean {
    const { blockBytes, blockLines } = this.#options;
    return this.#blockBytes >= blockBytes || this.#blockLines >= blockLines;
  }

  #take(): LineBlock {
    const block = {
      body: Buffer.concat(this.#block),
      number: this.#number,
      firstIndex: this.#index,
      lines: this.#blockLines,
    };
    this.#number += 1;
    this.#index += this.#blockLines;
    this.#block = [];
    this.#blockBytes = 0;
    this.#blockLines = 0;
    return block;
  }
}

const lineEnd = Buffer.from('\n');

function isBlank(part: Buffer): boolean {
  return part.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
