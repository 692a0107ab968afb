import { randomBytes } from 'node:crypto';
import { type Chunk, type Ledger, readAccounts, type Usage } from '../index.ts';
import { encodeChunkJob } from '../queue/chunks/chunk.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';
import { groupPending, sumPending } from '../queue/pending/group-pending.ts';
import { SampleGateway } from './sample-gateway.ts';

/** An action on gateways, chunks or the queue. `of` selects one of the existing ones. */
export interface LossStep {
  readonly kind: LossStepKind;
  readonly of: number;
  readonly rows: number;
}

export type LossStepKind = (typeof lossSteps)[number];

// biome-ignore format: one group a line
export const lossSteps = [
  'send', 'confirm', 'refuse', 'addUnknown', 'addTwice',
  'drop', 'restore', 'store', 'storeAndRepeat', 'bury',
  'report', 'kill',
] as const;

interface SentChunk {
  readonly gateway: SampleGateway;
  readonly chunk: Chunk;
}

/** Gateways, a queue that loses and repeats chunks, a worker with the real ledger, and the expected result. */
export class LossModel {
  readonly #ledger: Ledger;
  readonly #usage: Usage;
  readonly #now: () => number;
  readonly #projects = [newProject(), newProject()];
  #gateways: readonly SampleGateway[];
  #underWay: SentChunk[] = [];
  #queue: Chunk[] = [];
  #olderQueue: Chunk[] = [];
  readonly #acknowledged = new Set<SentChunk>();
  readonly #ended = new Set<string>();
  /** The position that was reported to the ledger, by process and project. */
  readonly #reported = new Map<string, number>();
  #isSettled = false;

  constructor({ ledger, usage, now }: { ledger: Ledger; usage: Usage; now: () => number }) {
    this.#ledger = ledger;
    this.#usage = usage;
    this.#now = now;
    this.#gateways = [this.#newGateway(), this.#newGateway()];
  }

  async take({ kind, of, rows }: LossStep): Promise<void> {
    if (kind === 'send') this.#send(of, rows);
    else if (kind === 'kill') this.#kill(of);
    else if (kind === 'report') await this.#report(at(this.#gateways, of));
    else if (kind === 'restore') [this.#queue, this.#olderQueue] = [[...this.#olderQueue], [...this.#queue]];
    else if (['confirm', 'refuse', 'addUnknown', 'addTwice'].includes(kind)) this.#answer(kind, of);
    else await this.#work(kind, of);
  }

  /** The queue answers everything, and each living gateway sends once more for each project. */
  async settle(): Promise<void> {
    while (this.#underWay.length > 0) this.#answer('confirm', 0);
    for (const gateway of this.#gateways) {
      for (const project of this.#projects) {
        const chunk = gateway.chunk(project, 1);
        gateway.settle(chunk, true);
        await this.#store(chunk);
      }
    }
    this.#isSettled = true;
  }

  /** The reported loss of each project, the loss that is known at this time, and the whole loss. */
  async judge(): Promise<{ missing: number | null; known: number; lost: number }[]> {
    const names = this.#queue.map((chunk) => encodeChunkJob(chunk).name);
    const pending = async () => sumPending([{ ...groupPending(names), complete: true }]);
    const accounts = await readAccounts({ usage: this.#usage, pending });
    const lost = this.#lost();
    return this.#projects.map((project) => {
      const ofProject = lost.filter(({ chunk }) => chunk.projectId === project);
      return {
        missing: accounts.get(project)?.missing ?? 0,
        known: rowsOf(ofProject.filter((each) => this.#isKnown(each))),
        lost: rowsOf(ofProject),
      };
    });
  }

  #lost(): SentChunk[] {
    const queued = new Set(this.#queue.map(({ id }) => id));
    return [...this.#acknowledged].filter(({ chunk: { id } }) => !queued.has(id) && !this.#ended.has(id));
  }

  /** After `settle`: of every living gateway. Before it: as far as a chunk or a report showed. */
  #isKnown({ gateway, chunk: { projectId, position, count } }: SentChunk): boolean {
    if (this.#isSettled && this.#gateways.includes(gateway)) return true;
    return position.start + count <= (this.#reported.get(`${gateway.producer} ${projectId}`) ?? 0);
  }

  #send(of: number, rows: number): void {
    const [gateway, project] = [at(this.#gateways, of), at(this.#projects, of >> 1)];
    if (gateway === undefined || project === undefined) return;
    this.#underWay.push({ gateway, chunk: gateway.chunk(project, rows) });
  }

  #kill(of: number): void {
    const killed = at(this.#gateways, of);
    this.#gateways = this.#gateways.map((gateway) => (gateway === killed ? this.#newGateway() : gateway));
    // Some of the pending chunks arrive, and nobody received an answer.
    const arrived = this.#underWay.filter(
      ({ gateway }, index) => gateway === killed && (index + of) % 2 === 0,
    );
    this.#queue.push(...arrived.map(({ chunk }) => chunk));
    this.#underWay = this.#underWay.filter(({ gateway }) => gateway !== killed);
  }

  #answer(kind: LossStepKind, of: number): void {
    const answered = at(this.#underWay, of);
    if (answered === undefined) return;
    const { gateway, chunk } = answered;
    this.#underWay = this.#underWay.filter((other) => other !== answered);
    const confirmed = kind === 'confirm' || kind === 'addTwice';
    if (kind !== 'refuse') this.#queue.push(chunk);
    if (kind === 'addTwice') this.#queue.push(chunk);
    if (confirmed) this.#acknowledged.add(answered);
    gateway.settle(chunk, confirmed);
  }

  async #work(kind: LossStepKind, of: number): Promise<void> {
    const chunk = at(this.#queue, of);
    if (chunk === undefined) return;
    if (kind === 'store' || kind === 'storeAndRepeat') await this.#store(chunk);
    if (kind === 'bury') await this.#bury(chunk);
    if (kind !== 'storeAndRepeat') this.#queue.splice(of % this.#queue.length, 1);
  }

  async #store(chunk: Chunk): Promise<void> {
    const batchId = sampleId(this.#now());
    const { won } = await this.#ledger.seal(batchId, [chunk]);
    if (won !== null) await this.#ledger.stored(batchId);
    this.#ended.add(chunk.id);
    this.#noteSettled(chunk.producer, chunk.projectId, chunk.position.settled);
  }

  async #bury(chunk: Chunk): Promise<void> {
    if (this.#ended.has(chunk.id)) return;
    const { id, projectId, count, producer, position } = chunk;
    const job = { id, reason: 'unknown version', projectId, count, raw: '{}' };
    const sent = { producer, start: position.start };
    await this.#ledger.buryJob({ id: sampleId(this.#now()), job: { ...job, sent } });
    this.#ended.add(id);
  }

  async #report(gateway: SampleGateway | undefined): Promise<void> {
    if (gateway === undefined) return;
    const settled = gateway.positions.unreported();
    const accepted = new Map(this.#projects.map((project) => [project, 0]));
    for (const { gateway: by, chunk } of this.#acknowledged)
      if (by === gateway) accepted.set(chunk.projectId, (accepted.get(chunk.projectId) ?? 0) + chunk.count);
    await this.#usage.reportAccepted(gateway.producer, accepted, settled);
    gateway.positions.reported(settled);
    for (const [project, report] of settled) this.#noteSettled(gateway.producer, project, report.settled);
  }

  #newGateway(): SampleGateway {
    return new SampleGateway(`gateway-${randomBytes(6).toString('hex')}`, this.#now);
  }

  #noteSettled(producer: string, project: string, settled: number): void {
    const key = `${producer} ${project}`;
    this.#reported.set(key, Math.max(settled, this.#reported.get(key) ?? 0));
  }
}

function at<T>(items: readonly T[], of: number): T | undefined {
  return items[of % items.length];
}

function newProject(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

function rowsOf(chunks: readonly SentChunk[]): number {
  return chunks.reduce((rows, { chunk }) => rows + chunk.count, 0);
}
