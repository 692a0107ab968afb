import { readState, type SavedState } from '../core/saved-state.ts';
import { type FoundSegment, type SegmentPlace, type Store, StoreTaken } from '../core/store.ts';

const writeMs = 250;
const asideBytes = 1024 * 1024;
/** Without Web Locks, nobody knows whether a run is in use: only this old it is certainly free. */
const freeMs = 24 * 3_600_000;

interface StoredSegment {
  readonly name: string;
  readonly run: string;
  readonly state: 'open' | 'seal' | 'aside';
  readonly lines: string;
  readonly touchedMs: number;
}

/** Segments as records of IndexedDB. Rejects from `open` if the browser has none. */
export function createIndexedDbStore(name: string, randomHex: (bytes: number) => string): Store {
  return new IndexedDbStore(`tickrate ${name}`, randomHex);
}

class IndexedDbStore implements Store {
  readonly durable = true;
  readonly #databaseName: string;
  readonly #run: string;
  readonly #open = new Map<string, string>();
  readonly #dirty = new Set<string>();
  #database: IDBDatabase | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(databaseName: string, randomHex: (bytes: number) => string) {
    this.#databaseName = databaseName;
    this.#run = `${Date.now().toString(16).padStart(12, '0')}0000-${randomHex(4)}`;
  }

  async open() {
    const opening = indexedDB.open(this.#databaseName, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('segments', { keyPath: 'name' });
      opening.result.createObjectStore('state');
    };
    this.#database = await answerOf(opening);
    this.#database.onversionchange = () => this.#database?.close();
    await this.#hold();
    const inUse = await runsInUse();
    const all = await this.#all();
    const state: unknown = await this.#ask('state', 'readonly', (store) => store.get('state'));
    const found = all.flatMap(({ name, run, state: kind, lines, touchedMs }): FoundSegment[] => {
      const isFree = inUse ? !inUse.has(this.#lockName(run)) : Date.now() - touchedMs > freeMs;
      if (kind === 'aside' || !isFree) return [];
      return [{ place: { run, name, sealed: kind === 'seal' }, text: lines }];
    });
    return { found, state: readState(state) };
  }

  append(name: string, text: string): void {
    if (this.#database === null) throw new StoreTaken();
    this.#open.set(name, (this.#open.get(name) ?? '') + text);
    this.#dirty.add(name);
    this.#timer ??= setTimeout(() => void this.flushed().catch(() => undefined), writeMs);
  }

  flushed(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dirty.size === 0) return this.#writing.then(() => undefined);
    const names = [...this.#dirty];
    this.#dirty.clear();
    return this.#track(
      this.#write((store) => {
        for (const name of names) store.put(this.#record(name, this.#open.get(name) ?? '', 'open'));
      }).catch((error: unknown) => {
        for (const name of names) if (this.#open.has(name)) this.#dirty.add(name);
        throw error;
      }),
    );
  }

  async cut({ name, run, sealed }: SegmentPlace, text: string): Promise<void> {
    const record = this.#record(name, text, sealed ? 'seal' : 'open');
    await this.#write((store) => store.put({ ...record, run: run || this.#run }));
  }

  async seal(place: SegmentPlace): Promise<SegmentPlace> {
    const { name } = place;
    const text = this.#open.get(name) ?? (await this.read(place));
    this.#dirty.delete(name);
    // At once, and after the writes before it by the order of transactions: a page that ends waits for nothing.
    await this.#track(this.#write((store) => store.put(this.#record(name, text, 'seal'))));
    this.#open.delete(name);
    return { run: this.#run, name, sealed: true };
  }

  peek({ name }: SegmentPlace): string | undefined {
    return this.#open.get(name);
  }

  async read({ name }: SegmentPlace): Promise<string> {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const record: StoredSegment | undefined = await this.#ask('segments', 'readonly', (store) =>
      store.get(name),
    );
    if (record === undefined) throw new StoreTaken();
    return record.lines;
  }

  write({ name }: SegmentPlace, text: string): Promise<void> {
    return this.#write((store) => store.put(this.#record(name, text, 'seal')));
  }

  remove({ name }: SegmentPlace): Promise<void> {
    return this.#write((store) => store.delete(name));
  }

  async setAside(place: SegmentPlace): Promise<void> {
    const lines = await this.read(place);
    const aside = (await this.#all()).filter(({ state }) => state === 'aside');
    let bytes = aside.reduce((sum, each) => sum + each.lines.length, lines.length);
    await this.#write((store) => {
      store.put(this.#record(place.name, lines, 'aside'));
      for (const each of aside) {
        if (bytes <= asideBytes) break;
        bytes -= each.lines.length;
        store.delete(each.name);
      }
    });
  }

  clear(): Promise<void> {
    this.#open.clear();
    this.#dirty.clear();
    return this.#write((store) => store.clear());
  }

  async updateState(change: (known: SavedState | null) => SavedState): Promise<SavedState> {
    let state = change(null);
    // One transaction: no other tab writes between.
    await this.#write((store) => {
      const reading = store.get('state');
      reading.onsuccess = () => {
        state = change(readState(reading.result));
        store.put(state, 'state');
      };
    }, 'state');
    return state;
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => undefined);
    this.#database?.close();
    this.#database = null;
    this.#release();
  }

  #lockName(run: string): string {
    return `${this.#databaseName} ${run}`;
  }

  /** Holds the lock of this run until it is closed, or until the page ends. */
  async #hold(): Promise<void> {
    if (!navigator.locks) return;
    await new Promise<void>((resolve) => {
      void navigator.locks.request(this.#lockName(this.#run), () => {
        resolve();
        return new Promise<void>((release) => {
          this.#release = release;
        });
      });
    });
  }

  #record(name: string, lines: string, state: StoredSegment['state']): StoredSegment {
    return { name, run: this.#run, state, lines, touchedMs: Date.now() };
  }

  #all(): Promise<StoredSegment[]> {
    return this.#ask('segments', 'readonly', (store) => store.getAll());
  }

  async #ask<T>(
    store: string,
    mode: IDBTransactionMode,
    ask: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    if (this.#database === null) throw new StoreTaken();
    return answerOf(ask(this.#database.transaction(store, mode).objectStore(store)));
  }

  /** Resolves when the transaction is complete: only then its writes survive. */
  #write(write: (store: IDBObjectStore) => void, name = 'segments'): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#database === null) return reject(new StoreTaken());
      const transaction = this.#database.transaction(name, 'readwrite');
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
      write(transaction.objectStore(name));
    });
  }

  /** `stored()` waits for it. */
  #track(written: Promise<void>): Promise<void> {
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The locks that any page holds; null if the browser has no locks. */
async function runsInUse(): Promise<ReadonlySet<string> | null> {
  if (!navigator.locks) return null;
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name = '' }) => name));
}
