import type { Chunk } from '../queue/chunks/chunk.ts';
import { sampleChunk } from '../queue/chunks/chunk-samples.ts';
import { createSentPositions, type SentPositions } from '../queue/chunks/sent-positions.ts';

/** Makes chunks as one gateway process does, for tests. */
export class SampleGateway {
  readonly producer: string;
  readonly positions: SentPositions = createSentPositions();

  readonly #now: () => number;

  constructor(producer: string, now: () => number) {
    this.producer = producer;
    this.#now = now;
  }

  chunk(projectId: string, count: number): Chunk {
    const position = this.positions.begin(projectId, count);
    return sampleChunk(this.#now(), { projectId, count, position, producer: this.producer, idempotency: [] });
  }

  settle({ projectId, position, count }: Chunk, confirmed: boolean): void {
    this.positions.settle(projectId, { start: position.start, rows: count }, confirmed);
  }
}
