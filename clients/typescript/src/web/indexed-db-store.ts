import { silence } from '../core/core.ts';
import { type Consent, readState, type SavedState } from '../core/saved-state.ts';
import { type FoundSegment, type SegmentPlace, type Store, StoreDeleted, StoreTaken } from '../core/store.ts';

const writeMs = 250;
const asideBytes = 1024 * 1024;
/** Without Web Locks, nobody knows whether a run is in use: only this old it is certainly free. */
const freeMs = 24 * 3_600_000;
/** Some browsers with a damaged profile never answer. */
const answerMs = 5_000;

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
  durable = true;
  readonly #databaseName: string;
  readonly #run: string;
  readonly #open = new Map<string, string>();
  readonly #dirty = new Set<string>();
  #database: IDBDatabase | null = null;
  /** What was saved last: a database that is made again begins with it. */
  #state: SavedState | undefined;
  /** The database was lost once: what is missing in it was not sent by another tab. */
  #isReopened = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #release: () => void = silence;
  readonly #channel: BroadcastChannel | undefined;

  constructor(databaseName: string, run: string) {
    this.#databaseName = databaseName;
    this.#run = run;
    if (globalThis.BroadcastChannel) this.#channel = new BroadcastChannel(databaseName);
  }

  async open(): Promise<SavedState | null> {
    const { locks } = navigator;
    await this.#connect();
    if (locks) await this.#hold(locks);
    return readState(await this.#ask((store) => store.get('state'), 'state'));
  }

  async adopt(): Promise<FoundSegment[]> {
    const held = (await navigator.locks?.query())?.held?.map(({ name }) => name);
    return (await this.#all()).flatMap(({ name, run, state, lines, touchedMs }): FoundSegment[] => {
      const isFree = held ? !held.includes(this.#lockName(run)) : Date.now() - touchedMs > freeMs;
      return state !== 'aside' && isFree
        ? [{ place: { run, name, sealed: state === 'seal' }, text: lines }]
        : [];
    });
  }

  append(name: string, text: string): void {
    if (this.#isClosed) throw new StoreTaken();
    this.#open.set(name, (this.#open.get(name) ?? '') + text);
    this.#dirty.add(name);
    this.#timer ??= setTimeout(() => void this.flushed().catch(silence), writeMs);
  }

  async flushed(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const names = [...this.#dirty];
    const failures = this.#failures;
    if (names.length) {
      await this.#written(names, (store) => {
        for (const name of names) store.put(this.#record(name, this.#open.get(name) ?? '', 'open'));
        return store.count();
      });
    } else await this.#writing;
    if (this.#failures !== failures) await this.flushed();
  }

  cut(place: SegmentPlace, text: string): Promise<void> {
    return this.write(place, text);
  }

  async seal(place: SegmentPlace): Promise<SegmentPlace> {
    const { name } = place;
    const text = this.#open.get(name) ?? (await this.read(place));
    this.#open.set(name, text);
    // At once, and after the writes before it by the order of transactions: a page that ends waits for nothing.
    await this.#written([name], (store) => store.put(this.#record(name, text, 'seal'))).then(
      () => this.#open.delete(name),
      // It is sent from memory.
      silence,
    );
    return { run: this.#run, name, sealed: true };
  }

  peek({ name }: SegmentPlace): string | undefined {
    return this.#open.get(name);
  }

  async read({ name }: SegmentPlace): Promise<string> {
    const open = this.#open.get(name);
    if (open) return open;
    const record = await this.#ask<StoredSegment | undefined>((store) => store.get(name));
    if (!record) throw this.#isReopened ? new StoreDeleted() : new StoreTaken();
    return record.lines;
  }

  async write({ name, sealed }: SegmentPlace, text: string): Promise<void> {
    await this.#ask((store) => store.put(this.#record(name, text, sealed ? 'seal' : 'open')));
  }

  async remove({ name }: SegmentPlace): Promise<void> {
    this.#open.delete(name);
    this.#dirty.delete(name);
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
    this.#state = state;
    return state;
  }

  async close(): Promise<void> {
    await this.flushed().catch(silence);
    this.#isClosed = true;
    this.#disconnect();
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

  async #connect(): Promise<void> {
    const opening = indexedDB.open(this.#databaseName, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore('segments', { keyPath: 'name' });
      const state = opening.result.createObjectStore('state');
      // In the same transaction: a tab that finds none would begin another installation, and send segments of this one again.
      if (this.#state) state.put(this.#state, 'state');
    };
    await new Promise((resolve, reject) => {
      opening.onsuccess = resolve;
      opening.onerror = reject;
      setTimeout(reject, answerMs);
    });
    this.#database = opening.result;
    // Another tab, or the player, deletes the database.
    this.#database.onversionchange = () => this.#disconnect();
  }

  #disconnect(): void {
    this.#database?.close();
    this.#database = null;
  }

  /** Opens a database that was deleted again, once: what is in memory is written to the new one. */
  async #ask<T>(act: (store: IDBObjectStore) => IDBRequest<T>, name = 'segments'): Promise<T> {
    try {
      return await this.#transact(act, name);
    } catch (error) {
      if (this.#isClosed) throw error;
      this.#disconnect();
      this.#isReopened = true;
      await this.#connect();
      const state = readState(await this.#transact((store) => store.get('state'), 'state'));
      // Another page made the database again, with another account: what this one writes there would be lost or sent twice.
      if (this.#state && state?.installation !== this.#state.installation) {
        this.#disconnect();
        throw error;
      }
      return this.#transact(act, name);
    }
  }

  /** Resolves when the transaction is complete: only then its writes survive. */
  #transact<T>(act: (store: IDBObjectStore) => IDBRequest<T>, name: string): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#database) throw new StoreTaken();
      const transaction = this.#database.transaction(name, 'readwrite');
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  /** Writes these segments. What a full disk refuses stays in memory, and the next `flushed` tries it again. */
  #written(names: readonly string[], act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    for (const name of names) this.#dirty.delete(name);
    const written = this.#ask(act).then(
      () => {
        this.durable = true;
      },
      (error) => {
        this.durable = false;
        this.#failures++;
        for (const name of names) if (this.#open.has(name)) this.#dirty.add(name);
        throw error;
      },
    );
    this.#writing = written.catch(silence);
    return written;
  }
}
