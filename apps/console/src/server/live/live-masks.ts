import { SystemError } from '@tickrate/contract';
import { maskPersonal, type StoredColumn } from '@tickrate/events';
import { RecentMap } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import { columnsOf } from '../event-types/stored-columns.ts';
import type { LiveEvent } from './live-feed.ts';

export interface LiveMasks {
  /** The event without personal members. Without any member, if its type is not known. */
  mask(projectId: string, event: LiveEvent): Promise<Readonly<Record<string, unknown>>>;
}

interface Known {
  readonly versions: ReadonlySet<number>;
  readonly columns: readonly StoredColumn[];
  readonly readMs: number;
}

const mostTypes = 2_000;
/** A version never changes, but a later one can declare a member as personal. */
const freshMs = 10_000;

export function createLiveMasks(registry: Registry, now: () => number): LiveMasks {
  const known = new RecentMap<string, Known>(mostTypes);

  async function read(projectId: string, type: string): Promise<Known> {
    const versions = await registry.eventType(projectId, type).then(
      (found) => found.versions,
      (error: unknown) => {
        if (error instanceof SystemError) return [];
        throw error;
      },
    );
    const columns = await columnsOf(versions);
    return { columns, versions: new Set(versions.map(({ version }) => version)), readMs: now() };
  }

  return {
    async mask(projectId, event) {
      const name = `${projectId} ${event.type}`;
      let found = known.get(name);
      if (!found?.versions.has(event.version) || now() - found.readMs > freshMs) {
        found = await read(projectId, event.type);
        known.set(name, found);
      }
      return found.versions.has(event.version) ? maskPersonal(event.members(), found.columns) : {};
    },
  };
}
