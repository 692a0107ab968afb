import type { Duplex } from 'node:stream';
import type { Peer } from '../client-address.ts';

/** A holder of connections: one client address (IPv4) or network (IPv6, /64), or a trusted proxy. */
export interface Holder {
  readonly bucket: string;
  /** It represents many clients: its connections are not limited, and are the last to be closed for others. */
  readonly isProxy: boolean;
  count: number;
  /** With the monotonic time since when; the one that has been idle for longest comes first. */
  readonly idle: Map<Duplex, number>;
}

/** The connections of one server by their holder, and which of them are idle. */
export class ConnectionHolders {
  /** For connections that no longer count. */
  readonly none: Holder = { bucket: '', isProxy: false, count: 0, idle: new Map() };
  readonly #holders = new Map<string, Holder>();

  /** Counts one more for this peer. */
  hold({ bucket, isProxy }: Peer): Holder {
    let holder = this.#holders.get(bucket);
    if (!holder) {
      holder = { bucket, isProxy, count: 0, idle: new Map() };
      this.#holders.set(bucket, holder);
    }
    holder.count++;
    return holder;
  }

  countOf({ bucket }: Peer): number {
    return this.#holders.get(bucket)?.count ?? 0;
  }

  release(holder: Holder, socket: Duplex): void {
    holder.idle.delete(socket);
    holder.count--;
    if (holder.count === 0) this.#holders.delete(holder.bucket);
  }

  /**
   * Idle connections to close, to make room for others. Those of the largest holder come first, so that small holders keep
   * theirs longest. Among equals, those that have been idle for longest come first.
   */
  *idleOfHeaviest(): Generator<Duplex> {
    const holders = [...this.#holders.values()].filter(({ idle }) => idle.size > 0);
    yield* byWeight(holders.filter(({ isProxy }) => !isProxy));
    yield* byWeight(holders.filter(({ isProxy }) => isProxy));
  }

  /** Idle since before that time. */
  *idleSince(beforeMs: number): Generator<readonly [Duplex, sinceMs: number]> {
    for (const { idle } of [...this.#holders.values()]) {
      for (const entry of [...idle]) {
        if (entry[1] >= beforeMs) break;
        yield entry;
      }
    }
  }
}

interface Weighed {
  readonly rest: Iterator<[Duplex, number]>;
  next: readonly [Duplex, number] | undefined;
}

// Each connection taken lowers its holder by one level.
function* byWeight(holders: readonly Holder[]): Generator<Duplex> {
  const levels: Weighed[][] = [];
  for (const { count, idle } of holders) {
    const rest = [...idle].values();
    place(levels, count, { rest, next: rest.next().value });
  }
  for (let level = levels.length - 1; level > 0; level--) {
    const equals = (levels[level] ?? []).sort((one, other) => (one.next?.[1] ?? 0) - (other.next?.[1] ?? 0));
    for (const weighed of equals) {
      if (weighed.next === undefined) continue;
      yield weighed.next[0];
      weighed.next = weighed.rest.next().value;
      place(levels, level - 1, weighed);
    }
  }
}

function place(levels: Weighed[][], level: number, weighed: Weighed): void {
  levels[level] ??= [];
  levels[level].push(weighed);
}
