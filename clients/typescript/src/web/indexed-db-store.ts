import { type Consent, readState, type SavedState } from '../core/saved-state.ts';
import { type FoundSegment, type SegmentPlace, type Store, StoreTaken } from '../core/store.ts';
import { silence } from '../core/tell.ts';

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
  return new IndexedDbStore(`tickrate ${name}`, randomHex(12));
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
  #release: () => void = silence;
  readonly #channel: BroadcastChannel | undefined;

  constructor(databaseName: string, run: string) {
    this.#databaseName = databaseName;
    this.#run = run;
    if (globalThis.BroadcastChannel) this.#channel = new BroadcastChannel(databaseName);
  }

  async open() {
    const { locks } = navigator;
    const opening = indexedDB.open(this.#databaseName, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('segments', { keyPath: 'name' });
      opening.result.createObjectStore('state');
    };
    await new Promise((resolve, reject) => {
      opening.onsuccess = resolve;
      opening.onerror = reject;
    });
    this.#database = opening.result;
    this.#database.onversionchange = () => this.#database?.close();
    if (locks) await this.#hold(locks);
    const held = (await locks?.query())?.held?.map(({ name }) => name);
    const state: unknown = await this.#ask((store) => store.get('state'), 'state');
    const found = (await this.#all()).flatMap(
      ({ name, run, state: kind, lines, touchedMs }): FoundSegment[] => {
        const isFree = held ? !held.includes(this.#lockName(run)) : Date.now() - touchedMs > freeMs;
        return kind !== 'aside' && isFree
          ? [{ place: { run, name, sealed: kind === 'seal' }, text: lines }]
          : [];
      },
    );
    return { found, state: readState(state) };
  }

  append(name: string, text: string): void {
    if (!this.#database) throw new StoreTaken();
    this.#open.set(name, (this.#open.get(name) ?? '') + text);
    this.#dirty.add(name);
    this.#timer ??= setTimeout(() => void this.flushed().catch(silence), writeMs);
  }

  async flushed(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const names = [...this.#dirty];
    this.#dirty.clear();
    if (names.length === 0) return void (await this.#writing);
    try {
      await this.#written((store) => {
        for (const name of names) store.put(this.#record(name, this.#open.get(name) ?? '', 'open'));
        return store.count();
      });
    } catch (error) {
      for (const name of names) if (this.#open.has(name)) this.#dirty.add(name);
      throw error;
    }
  }

  cut(place: SegmentPlace, text: string): Promise<void> {
    return this.write(place, text);
  }

  async seal(place: SegmentPlace): Promise<SegmentPlace> {
    const { name } = place;
    const text = this.#open.get(name) ?? (await this.read(place));
    this.#dirty.delete(name);
    // At once, and after the writes before it by the order of transactions: a page that ends waits for nothing.
    await this.#written((store) => store.put(this.#record(name, text, 'seal')));
    this.#open.delete(name);
    return { run: this.#run, name, sealed: true };
  }

  peek({ name }: SegmentPlace): string | undefined {
    return this.#open.get(name);
  }

  async read({ name }: SegmentPlace): Promise<string> {
    const open = this.#open.get(name);
    if (open) return open;
    const record = await this.#ask<StoredSegment | undefined>((store) => store.get(name));
    if (!record) throw new StoreTaken();
    return record.lines;
  }

  async write({ name, sealed }: SegmentPlace, text: string): Promise<void> {
    await this.#ask((store) => store.put(this.#record(name, text, sealed ? 'seal' : 'open')));
  }

  async remove({ name }: SegmentPlace): Promise<void> {
    await this.#ask((store) => store.delete(name));
  }

  async setAside(place: SegmentPlace): Promise<void> {
    const lines = await this.read(place);
    const aside = (await this.#all()).filter(({ state }) => state === 'aside');
    let bytes = aside.reduce((sum, each) => sum + each.lines.length, lines.length);
    await this.#ask((store) => {
      for (const each of aside) {
        if (bytes <= asideBytes) break;
        bytes -= each.lines.length;
        store.delete(each.name);
      }
      return store.put(this.#record(place.name, lines, 'aside'));
    });
  }

  async clear(): Promise<void> {
    this.#open.clear();
    this.#dirty.clear();
    await this.#ask((store) => store.clear());
  }

  async updateState(change: (known: SavedState | null) => SavedState): Promise<SavedState> {
    let state = change(null);
    // One transaction: no other tab writes between.
    await this.#ask((store) => {
      const reading = store.get('state');
      reading.onsuccess = () => {
        state = change(readState(reading.result));
        store.put(state, 'state');
      };
      return reading;
    }, 'state');
    return state;
  }

  async close(): Promise<void> {
    await this.flushed().catch(silence);
    this.#database?.close();
    this.#database = null;
    this.#channel?.close();
    this.#release();
  }

  announce(consent: Consent): void {
    this.#channel?.postMessage(consent);
  }

  onAnnounced(listener: (consent: Consent) => void): void {
    if (this.#channel) this.#channel.onmessage = ({ data }) => listener(data);
  }

  #lockName(run: string): string {
    return `${this.#databaseName} ${run}`;
  }

  /** Holds the lock of this run until it is closed, or until the page ends. */
  #hold(locks: LockManager): Promise<void> {
    return new Promise((resolve) => {
      void locks.request(this.#lockName(this.#run), () => {
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
    return this.#ask((store) => store.getAll());
  }

  /** Resolves when the transaction is complete: only then its writes survive. */
  #ask<T>(act: (store: IDBObjectStore) => IDBRequest<T>, name = 'segments'): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#database) throw new StoreTaken();
      const transaction = this.#database.transaction(name, 'readwrite');
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** `stored()` waits for it. */
  #written(act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const written = this.#ask(act);
    this.#writing = written.catch(silence);
    return written;
  }
}
