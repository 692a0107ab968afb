import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from '@tickrate/pipeline';

export interface Volume {
  readonly name: string;
  readonly freeBytes: number;
}

/** A source of the free space of some volumes. */
export interface VolumeSource {
  readonly name: string;
  /** The shortest time between two reads. */
  readonly everyMs: number;
  read(): Promise<readonly Volume[]>;
}

const resumeFactor = 1.25;
/** A volume is read again before it could be full, if it fills at a gigabyte a second. */
const filledBytesPerMs = 1_000_000;
const restMs = 15_000;

/** The free space of the stores' volumes. */
export function createDiskSpace(options: {
  readonly sources: readonly VolumeSource[];
  /** 0 never rejects. */
  readonly reserveBytes: number;
  /** Accepted events that are not stored yet also need space. */
  readonly queuedBytes: () => number;
  readonly onFull: (volume: Volume) => void;
  readonly onSpace: () => void;
  /** Called once, until the source can be read again. */
  readonly onFault: (source: string, error: unknown) => void;
}) {
  const { sources, reserveBytes, queuedBytes, onFull, onSpace, onFault } = options;
  const known = new Map<string, readonly Volume[]>();
  const failing = new Set<string>();
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let isFull = false;

  function fullest(): Volume | null {
    const volumes = [...known.values()].flat();
    return volumes.length === 0 ? null : volumes.reduce((a, b) => (b.freeBytes < a.freeBytes ? b : a));
  }

  function judge(): void {
    const volume = fullest();
    const needed = (isFull ? reserveBytes * resumeFactor : reserveBytes) + queuedBytes();
    const isNowFull = reserveBytes > 0 && volume !== null && volume.freeBytes < needed;
    if (isNowFull === isFull) return;
    isFull = isNowFull;
    if (isNowFull) onFull(volume);
    else onSpace();
  }

  async function read(source: VolumeSource): Promise<void> {
    try {
      known.set(source.name, await source.read());
      failing.delete(source.name);
    } catch (error) {
      known.delete(source.name);
      if (!failing.has(source.name)) onFault(source.name, error);
      failing.add(source.name);
    }
    judge();
  }

  async function watch(source: VolumeSource): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const volumes = known.get(source.name) ?? [];
      const free = volumes.length === 0 ? 0 : Math.min(...volumes.map(({ freeBytes }) => freeBytes));
      const untilFullMs = (free - reserveBytes - queuedBytes()) / filledBytesPerMs;
      const pauseMs = Math.max(source.everyMs, Math.min(restMs, untilFullMs));
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) await read(source);
    }
  }

  return {
    /**
     * False while a volume has less free space than the reserve and the queue's bytes, until it has a quarter of the
     * reserve more. An unreadable volume rejects no request.
     */
    hasSpace: () => !isFull,
    /** Of the fullest volume; null when none is known. */
    freeBytes: () => fullest()?.freeBytes ?? null,
    /** Resolves when every source was read once, or has failed. */
    async start(): Promise<void> {
      await Promise.all(sources.map(read));
      running = Promise.all(sources.map(watch));
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/**
 * The volumes of the stores: folders of this machine, those that workers report, and what is left of the database below
 * its limit, which is null if unlimited.
 */
export function volumeSources(
  fleet: Pick<Fleet, 'disks' | 'databaseBytes'>,
  folders: readonly string[],
  databaseLimitBytes: number | null,
): VolumeSource[] {
  const local = folders.map((folder) => ({
    name: folder,
    everyMs: 250,
    read: async () => [{ name: folder, freeBytes: await freeBytes(folder) }],
  }));
  const reported: VolumeSource = {
    name: 'reported',
    everyMs: 5_000,
    read: async () => [...(await fleet.disks())].map(([name, { freeBytes }]) => ({ name, freeBytes })),
  };
  if (databaseLimitBytes === null) return [...local, reported];
  const database: VolumeSource = {
    name: 'postgres',
    everyMs: 5_000,
    read: async () => [{ name: 'postgres', freeBytes: databaseLimitBytes - (await fleet.databaseBytes()) }],
  };
  return [...local, reported, database];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
