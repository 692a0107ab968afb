import { writeSync } from 'node:fs';

export interface LineSinkOptions {
  readonly fd: number;
  /** How long a line may wait for company. */
  readonly flushMs?: number;
  readonly flushBytes?: number;
  /** Of what the reader has not taken; lines beyond it are dropped and counted. */
  readonly heldBytes?: number;
}

const retryMs = 20;

/**
 * Writes lines in blocks, which costs a tenth of writing each. Nothing is lost when the process exits; a process that
 * is killed outright loses what was logged in the last `flushMs`. A reader that is gone ends the writing for good.
 * Pino's own destination stops the process for 100 ms whenever a pipe is full, at exit also when it writes asynchronously.
 */
export class LineSink {
  readonly #fd: number;
  readonly #flushMs: number;
  readonly #flushBytes: number;
  readonly #heldBytes: number;
  #lines: string[] = [];
  #length = 0;
  /** What a full pipe did not take yet. */
  #rest: Buffer | null = null;
  #dropped = 0;
  #broken = false;
  #timer: NodeJS.Timeout | null = null;

  constructor({ fd, flushMs = 250, flushBytes = 64 * 1024, heldBytes = 8 * 1024 * 1024 }: LineSinkOptions) {
    this.#fd = fd;
    this.#flushMs = flushMs;
    this.#flushBytes = flushBytes;
    this.#heldBytes = heldBytes;
  }

  write(line: string): void {
    if (this.#broken) return;
    if (this.#length > this.#heldBytes) {
      this.#dropped++;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= this.#flushBytes && this.#rest === null) this.flush();
    else this.#flushAfter(this.#flushMs);
  }

  /** Hands over what is held, as far as the reader takes it now. */
  flush(): void {
    this.#endWait();
    while (!this.#broken) {
      const block = this.#rest ?? this.#takeLines();
      if (block === null) return;
      this.#rest = this.#writeSome(block);
      if (this.#rest !== null) {
        this.#flushAfter(retryMs);
        return;
      }
    }
  }

  // Waits a second at most for a slow reader.
  readonly #flushAtExit = (): void => {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; waitedMs <= 1_000; waitedMs += retryMs) {
      this.flush();
      if (this.#rest === null) return;
      Atomics.wait(pause, 0, 0, retryMs);
    }
  };

  #takeLines(): Buffer | null {
    if (this.#lines.length === 0) return null;
    if (this.#dropped > 0)
      this.#lines.push(`{"level":"warn","dropped":${this.#dropped},"msg":"log lines dropped"}\n`);
    const block = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    this.#dropped = 0;
    return block;
  }

  // What is left of the block, or null when all of it was taken.
  #writeSome(block: Buffer): Buffer | null {
    try {
      const written = writeSync(this.#fd, block);
      return written < block.byteLength ? block.subarray(written) : null;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return block;
      this.#broken = true;
      return null;
    }
  }

  #flushAfter(timeMs: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.flush(), timeMs);
    this.#timer.unref();
    // Only while lines wait: a sink that nobody uses any more leaves nothing behind.
    process.on('exit', this.#flushAtExit);
  }

  #endWait(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    process.off('exit', this.#flushAtExit);
  }
}
