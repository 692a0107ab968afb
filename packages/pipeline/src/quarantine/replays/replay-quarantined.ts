import { RowWriter } from '@tickrate/events';
import type { Queryable } from '@tickrate/postgres';
import type { Chunk, IdempotentRun } from '../../queue/chunks/chunk.ts';
import { eventKey, senderScope } from '../../queue/chunks/idempotency-key.ts';
import { compressRows, decodeDeadRows, stampRows } from '../reading/dead-rows.ts';
import { findQuarantined } from '../reading/find-quarantined.ts';
import type { QuarantineFilter } from '../reading/quarantined.ts';
import { type KeptRejected, readLetters, readRejected } from '../reading/read-quarantined.ts';
import { encodeRejected, neverReplayable, type ReplayRefusal } from '../samples/encode-rejected.ts';
import type { FindReplayType } from './find-replay-type.ts';
import { finishStaged, type StagedChunk, stageDead, stageRejected } from './staged-replays.ts';

export interface ReplayTools {
  /** Resolves when the chunk is durable, like `add` of a producer. */
  add(chunk: Chunk): Promise<void>;
  readonly findType: FindReplayType;
  /** Returns a UUIDv7 with the current time. */
  newId(): string;
}

export interface ReplayReport {
  /** The number of events that were sent to ClickHouse again. */
  readonly replayed: number;
  /** Those of them whose replay an interrupted call had begun. */
  readonly finished: number;
  /** The number of remaining events by reason. Rejected events have their current reason. */
  readonly refused: number;
  /** The first hundred of them. */
  readonly refusals: readonly (ReplayRefusal & { readonly id: string })[];
}

const eventsPerChunk = 500;
const reportedRefusals = 100;

/** Replays each event once, also with repeated, concurrent and interrupted calls. */
export async function replayQuarantined(
  db: Queryable,
  { projectId, filter }: { readonly projectId: string | null; readonly filter: QuarantineFilter },
  tools: ReplayTools,
): Promise<ReplayReport> {
  const replay = new Replay(db, tools);
  const finished = await finishStaged(db, { projectId }, tools.add);
  for (let after: string | null | undefined; after !== null; ) {
    const page = await findQuarantined(db, { ...filter, projectId, after, limit: eventsPerChunk });
    const idsOf = (kind: string) => page.found.filter((one) => one.kind === kind).map(({ id }) => id);
    await replay.rejected(await readRejected(db, idsOf('rejected')));
    for (const id of idsOf('dead')) await replay.dead(id);
    after = page.next;
  }
  const { replayed, refused, refusals } = replay;
  return { replayed: finished + replayed, finished, refused, refusals };
}

class Replay {
  readonly #db: Queryable;
  readonly #tools: ReplayTools;
  replayed = 0;
  refused = 0;
  readonly refusals: (ReplayRefusal & { readonly id: string })[] = [];

  constructor(db: Queryable, tools: ReplayTools) {
    this.#db = db;
    this.#tools = tools;
  }

  async rejected(events: readonly KeptRejected[]): Promise<void> {
    for (const [projectId, ofProject] of Map.groupBy(events, (event) => event.projectId ?? '')) {
      const chunk = new ReplayChunk(this.#tools.newId());
      for (const event of ofProject.filter(({ state }) => state === 'open')) {
        const refusal = neverReplayable(event) ?? (await this.#encode(chunk, event));
        if (refusal !== null) await this.#refuse(event, refusal);
      }
      if (chunk.eventIds.length === 0) continue;
      const staged = await stageRejected(this.#db, await chunk.seal(projectId), chunk.eventIds);
      if (staged) await this.#finish(chunk.id);
    }
  }

  async dead(id: string): Promise<void> {
    const [letter] = await readLetters(this.#db, [id]);
    if (letter === undefined || letter.state !== 'open') return;
    const decoded = await decodeDeadRows(letter);
    const [first] = decoded?.rows ?? [];
    if (decoded === null || first === undefined) {
      const message = 'the payload does not hold the rows that it should';
      this.#report(id, { reason: 'notReplayable', pointer: '', message });
      return;
    }
    const chunkId = this.#tools.newId();
    const frame = await compressRows([stampRows(decoded, chunkId)]);
    const projectId = letter.projectId ?? first.project;
    const chunk = { id: chunkId, projectId, count: decoded.rows.length, idempotency: [], frame };
    if (await stageDead(this.#db, chunk, letter)) await this.#finish(chunkId);
  }

  async #encode(chunk: ReplayChunk, event: KeptRejected): Promise<ReplayRefusal | null> {
    const { type, projectId, versionNamed, version } = event;
    const found = await this.#tools.findType(projectId ?? '', type ?? '', versionNamed ? version : null);
    return chunk.append(event, (writer) => encodeRejected(writer, event, found));
  }

  async #finish(chunkId: string): Promise<void> {
    this.replayed += await finishStaged(this.#db, { projectId: null, chunkId }, this.#tools.add);
  }

  async #refuse({ id, form, truncated }: KeptRejected, refusal: ReplayRefusal): Promise<void> {
    this.#report(id, refusal);
    if (truncated || form !== 'event') return;
    const { reason, pointer, message } = refusal;
    await this.#db.query('SELECT delivery.refuse_again($1, $2, $3, $4)', [id, reason, pointer, message]);
  }

  #report(id: string, refusal: ReplayRefusal): void {
    this.refused += 1;
    if (this.refusals.length < reportedRefusals) this.refusals.push({ id, ...refusal });
  }
}

/** Rows of one project, each with its own idempotency key: a client that repeats the event uses the same key. */
class ReplayChunk {
  readonly id: string;
  readonly eventIds: string[] = [];
  readonly #writer = new RowWriter();
  readonly #starts: number[] = [];
  readonly #idempotency: IdempotentRun[] = [];

  constructor(id: string) {
    this.id = id;
  }

  append(event: KeptRejected, encode: (writer: RowWriter) => ReplayRefusal | null): ReplayRefusal | null {
    const start = this.#writer.at;
    const refusal = encode(this.#writer);
    if (refusal !== null) {
      this.#writer.at = start;
      return refusal;
    }
    const key =
      event.eventId === null ? `quarantine:${event.id}` : eventKey(senderScope(event), event.eventId);
    this.eventIds.push(event.id);
    this.#starts.push(start);
    this.#idempotency.push({ key, count: 1, start, length: this.#writer.at - start });
    return null;
  }

  async seal(projectId: string): Promise<StagedChunk> {
    const bytes = this.#writer.bytes.subarray(0, this.#writer.at);
    const rows = this.#starts.map((start) => ({ start }));
    const frame = await compressRows([stampRows({ bytes, rows }, this.id)]);
    return { id: this.id, projectId, count: rows.length, idempotency: this.#idempotency, frame };
  }
}
