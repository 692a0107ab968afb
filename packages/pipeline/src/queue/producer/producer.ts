import { noteWrite } from '@tickrate/platform';
import type { Chunk } from '../chunks/chunk.ts';
import { encodeParcel, type ParcelJob, parcelBytes } from '../chunks/parcel.ts';
import { homeOf, type Lane, placeOf } from '../stores/lane.ts';
import { createStores, keepOpening, type StoresOptions } from '../stores/open-stores.ts';
import type { QueueStore, StoreLevel } from '../stores/queue-store.ts';
import { QueueUnavailable } from '../stores/queue-unavailable.ts';
import { createFillGauge } from './fill-gauge.ts';
import { GroupAdd } from './group-add.ts';

export interface ProducerOptions extends StoresOptions {
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly pollMs?: number;
  /**
   * The age of the oldest chunk from which further ones are refused, until it is a tenth younger. Null means no limit.
   */
  readonly limitAgeMs?: number | null;
}

interface Instance {
  readonly store: QueueStore;
  readonly groups: readonly GroupAdd[];
  avoidUntilMs: number;
}

const avoidMs = 1_000;

export type Producer = ReturnType<typeof createProducer>;

export function createProducer(options: ProducerOptions) {
  const { now = () => performance.now(), timeoutMs = 2_000, onFault = () => undefined } = options;
  const stores = createStores(options, 'producer');
  const instances = stores.map((store) => openGroups(store, timeoutMs));
  const stopping = new AbortController();
  const gauge = createFillGauge({ ...options, now, measure: () => measureUsable(stores) });
  let watching: Promise<unknown> = Promise.resolve();

  async function addTo(instance: Instance, job: ParcelJob, lane: Lane): Promise<void> {
    const { shard } = homeOf(job.id, instances.length, options.shards);
    const group = instance.groups[placeOf(lane, shard, options.shards)];
    if (group === undefined || !instance.store.ready()) {
      throw new QueueUnavailable(`${instance.store.label} is away`);
    }
    gauge.added(parcelBytes(job));
    try {
      await group.add(job);
      noteWrite();
    } catch (fault) {
      if (isUnknown(fault)) noteWrite();
      instance.avoidUntilMs = now() + avoidMs;
      gauge.readSoon();
      throw fault;
    }
  }

  async function add(job: ParcelJob, lane: Lane): Promise<void> {
    const home = homeOf(job.id, instances.length, options.shards).store;
    const [first, second] = inOrder(instances, home, now());
    if (first === undefined) throw new QueueUnavailable('no queue is configured');
    try {
      await addTo(first, job, lane);
    } catch (fault) {
      // The ledger recognises a chunk that is in two stores, so another store may be tried.
      if (second === undefined) throw fault;
      await addTo(second, job, lane).catch((again: unknown) => {
        throw isUnknown(fault) ? fault : again;
      });
    }
  }

  return {
    /** Resolves when it is connected and has read the level. Rejects with a ConfigFault if a store is not supported. */
    async start(): Promise<void> {
      const opening = stores.map((store) =>
        keepOpening(store, stopping.signal, onFault).then(() => gauge.readSoon()),
      );
      await Promise.race(opening);
      await gauge.read();
      watching = Promise.all([gauge.watch(stopping.signal), ...opening]);
    },
    /**
     * Resolves when the chunk is durable. Rejects with QueueUnavailable, at the latest after `timeoutMs` for each of two
     * stores. The default lane is `bulk`.
     */
    add: (chunk: Chunk, lane: Lane = 'bulk') => add(encodeParcel([chunk]), lane),
    /** Adds chunks with the ids of one parcel: all of them or none. */
    addTogether: (chunks: readonly Chunk[], lane: Lane = 'bulk') => add(encodeParcel(chunks), lane),
    /**
     * Whether the queue accepts chunks of the lane; the default is the express lane. False from 70 % until the level is
     * below 60 %, for the bulk lane from 60 % until it is below 50 %. Also false while the oldest chunk is too old, and
     * while the queue is away.
     */
    accepting: (lane?: Lane) => gauge.accepting(lane) && stores.some((store) => store.ready()),
    /** The last reading of each store. */
    levels: () => gauge.levels(),
    /** Closes the connections. The caller must wait for its calls of `add` first. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled([watching]);
      await Promise.allSettled(stores.map((store) => store.close()));
    },
  };
}

function openGroups(store: QueueStore, timeoutMs: number): Instance {
  const groups = store.queueNames.map(
    (name) => new GroupAdd({ send: (jobs) => store.add(name, jobs), timeoutMs }),
  );
  return { store, groups, avoidUntilMs: 0 };
}

function isUnknown(fault: unknown): boolean {
  return fault instanceof QueueUnavailable && fault.outcomeUnknown;
}

/** The home of the chunk first, then its neighbours, and last the stores that failed a moment ago. */
function inOrder(instances: readonly Instance[], home: number, nowMs: number): Instance[] {
  const order = [...instances.slice(home), ...instances.slice(0, home)];
  const avoided = (instance: Instance) => Number(!instance.store.ready() || instance.avoidUntilMs > nowMs);
  return order.sort((a, b) => avoided(a) - avoided(b));
}

/** Ignores stores that are away, as long as another one answers. */
async function measureUsable(stores: readonly QueueStore[]): Promise<StoreLevel[]> {
  const read = await Promise.allSettled(
    stores.filter((store) => store.ready()).map((store) => store.level()),
  );
  return read.filter((result) => result.status === 'fulfilled').map((result) => result.value);
}
