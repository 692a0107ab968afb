import {
  closeSync,
  existsSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SavedState } from '../core/saved-state.ts';
import { readName } from '../core/segment.ts';
import { type FoundSegment, isDiskFull, type SegmentPlace, type Store, StoreTaken } from '../core/store.ts';
import { ignoreAbsent, isAbsent, moveAside, namesIn, readStart, removeRunIfEmpty } from './files.ts';
import { RunLock } from './run-lock.ts';
import { StateFile } from './state-file.ts';

const blockedMs = 100;
/** Events are personal data. */
const ownerOnly = 0o600;
const runPattern = /^[0-9a-f]{16}-[0-9a-f]{8}$/;

interface OpenFile {
  readonly fd: number;
  readonly run: string;
  bytes: number;
}

/**
 * Segments as files. `append` reaches the page cache before it returns. `open` throws if the folder cannot be written, except for a full disk.
 * A run of this client can end in two ways while the client runs. Another process adopts it, because this one was stopped for
 * long: then that process sends its segments. Or a person deletes the folder: then a new run gets what was still open.
 */
export class FileStore implements Store {
  /** Called when the folder was deleted, and made again. */
  onDeleted: () => void = () => undefined;
  readonly #folder: string;
  readonly #files = new Map<string, OpenFile>();
  readonly #lock: RunLock;
  readonly #stateFile: StateFile;
  /** Runs whose segments this client sends. */
  readonly #adopted = new Set<string>();
  /** Runs that a person deleted. */
  readonly #deleted = new Set<string>();
  #isFailing = false;
  #blocked: { readonly untilMs: number; readonly fault: unknown } = { untilMs: 0, fault: null };

  constructor(folder: string, randomHex: (bytes: number) => string) {
    this.#folder = folder;
    this.#lock = new RunLock(folder, randomHex, (run) => this.#isDeleted(run));
    this.#stateFile = new StateFile(folder, randomHex);
  }

  get durable(): boolean {
    return !this.#isFailing && this.#lock.isWritable();
  }

  async open(): Promise<SavedState | null> {
    this.#beginRun();
    return this.#stateFile.read();
  }

  async adopt({ installation }: SavedState): Promise<FoundSegment[]> {
    if (this.#stateFile.isOfAnother(installation)) return [];
    return namesIn(this.#folder)
      .filter((run) => runPattern.test(run) && run !== this.#lock.run && !this.#adopted.has(run))
      .filter((run) => this.#lock.adopt(run))
      .flatMap((run) => this.#readRun(run));
  }

  append(name: string, text: string): void {
    const { untilMs, fault } = this.#blocked;
    if (performance.now() < untilMs) throw fault;
    this.#isFailing = true;
    try {
      this.#write(name, text);
      this.#isFailing = false;
    } catch (error) {
      // Thousands of calls in a frame ask the system once.
      if (!isDiskFull(error) && !(error instanceof StoreTaken))
        this.#blocked = { untilMs: performance.now() + blockedMs, fault: error };
      throw error;
    }
  }

  #write(name: string, text: string): void {
    if (!this.#lock.isHeld()) this.#leaveRun();
    const file = this.#files.get(name) ?? this.#create(name);
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length)
        written += writeSync(file.fd, bytes, written, bytes.length - written, file.bytes + written);
      file.bytes += bytes.length;
    } catch (error) {
      if (file.bytes === 0) this.#abandon(name, file.fd);
      throw error;
    }
  }

  async flushed(): Promise<void> {
    // Every append is in the page cache when it returns.
  }

  async cut(place: SegmentPlace, text: string): Promise<void> {
    const fd = openSync(this.#path(place), 'r+');
    try {
      ftruncateSync(fd, Buffer.byteLength(text));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  async seal(place: SegmentPlace): Promise<SegmentPlace> {
    const { name } = place;
    const file = this.#files.get(name);
    if (file) return this.#sealOpen(name, file);
    const sealed = { ...place, sealed: true };
    if (!place.run) throw new StoreTaken();
    const handle = await open(this.#path(place), 'r+');
    await handle.sync();
    await handle.close();
    await rename(this.#path(place), this.#path(sealed));
    return sealed;
  }

  async #sealOpen(name: string, file: OpenFile): Promise<SegmentPlace> {
    const { fd, run } = file;
    const sealed = { run, name, sealed: true };
    try {
      await syncFile(fd);
      await rename(this.#path({ ...sealed, sealed: false }), this.#path(sealed));
      return sealed;
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (!this.#isDeleted(run)) throw new StoreTaken('adopted', { cause: error });
      const renewed = { ...sealed, run: this.#lock.run };
      await this.write(renewed, readFileSync(fd).subarray(0, file.bytes));
      return renewed;
    } finally {
      if (this.#files.delete(name)) closeSync(fd);
    }
  }

  async read(place: SegmentPlace): Promise<string> {
    try {
      return await readFile(this.#path(place), 'utf8');
    } catch (error) {
      if (!isAbsent(error) || this.#isDeleted(place.run)) throw error;
      throw new StoreTaken('adopted', { cause: error });
    }
  }

  async write(place: SegmentPlace, text: string | Uint8Array): Promise<void> {
    const path = this.#path({ ...place, sealed: true });
    const handle = await open(`${path}.tmp`, 'w', ownerOnly);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.tmp`, path);
  }

  isThere(place: SegmentPlace): boolean {
    return existsSync(this.#path(place));
  }

  async remove(place: SegmentPlace): Promise<void> {
    await unlink(this.#path(place)).catch(ignoreAbsent);
    this.#removeEmptyRun(place.run);
  }

  async setAside(place: SegmentPlace): Promise<void> {
    await moveAside(this.#path(place), join(this.#folder, 'aside'), `${place.name}.seal`);
    this.#removeEmptyRun(place.run);
  }

  async clear(): Promise<void> {
    for (const name of this.#files.keys()) this.#abandon(name, this.#files.get(name)?.fd ?? -1);
    for (const run of [...this.#runs(), 'aside'])
      for (const name of namesIn(join(this.#folder, run)))
        if (readName(name)) rmSync(join(this.#folder, run, name), { force: true });
  }

  async updateState(change: (known: SavedState | null) => SavedState): Promise<SavedState> {
    return this.#stateFile.update(change);
  }

  async close(): Promise<void> {
    this.#closeFiles();
    this.#lock.release(this.#adopted);
    this.#removeEmptyRun(this.#lock.run, true);
  }

  /**
   * On a full disk there is no run, and `append` tries again: what is tracked meanwhile is lost. What earlier runs left is sent,
   * which makes space.
   */
  #beginRun(): void {
    try {
      this.#makeFolder();
      this.#lock.begin();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  #leaveRun(): never {
    if (!this.#isDeleted(this.#lock.run)) {
      this.#closeFiles();
      this.#lock.begin();
    }
    throw new StoreTaken();
  }

  /** Whether a person deleted this run. The first time that this is seen, the folder is made again, with a new run. */
  #isDeleted(run: string): boolean {
    // Another process that took the run over leaves state.json. A process that starts after the folder was deleted makes one.
    if (this.#lock.isDeleted() || (this.#lock.isAbsent() && !this.#stateFile.isThere())) {
      for (const each of [this.#lock.run, ...this.#adopted]) this.#deleted.add(each);
      this.#makeFolder();
      this.#lock.begin();
      this.#stateFile.restore();
      this.onDeleted();
    }
    return this.#deleted.has(run);
  }

  #makeFolder(): void {
    mkdirSync(join(this.#folder, 'aside'), { recursive: true });
  }

  #closeFiles(): void {
    for (const { fd } of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }

  #runs(): string[] {
    return namesIn(this.#folder).filter((name) => runPattern.test(name) && this.#lock.isUnused(name));
  }

  #readRun(run: string): FoundSegment[] {
    this.#adopted.add(run);
    const found = readdirSync(join(this.#folder, run)).flatMap((name) => {
      const read = readName(name);
      if (read === null) return [];
      const place = { run, name: name.slice(0, -5), sealed: read.sealed };
      const text = readStart(this.#path(place));
      return text === null ? [] : [{ place, text }];
    });
    if (found.length === 0) this.#removeEmptyRun(run, true);
    return found;
  }

  #create(name: string): OpenFile {
    const { run } = this.#lock;
    try {
      const file = {
        fd: openSync(this.#path({ run, name, sealed: false }), 'wx+', ownerOnly),
        bytes: 0,
        run,
      };
      this.#files.set(name, file);
      return file;
    } catch (error) {
      if (isAbsent(error)) this.#leaveRun();
      throw error;
    }
  }

  #abandon(name: string, fd: number): void {
    this.#files.delete(name);
    try {
      closeSync(fd);
      unlinkSync(this.#path({ run: this.#lock.run, name, sealed: false }));
    } catch {
      // It holds no event.
    }
  }

  #path({ run, name, sealed }: SegmentPlace): string {
    return join(this.#folder, run || this.#lock.run, `${name}.${sealed ? 'seal' : 'open'}`);
  }

  #removeEmptyRun(run: string, isOwn = false): void {
    if (run !== '' && (run !== this.#lock.run || isOwn)) removeRunIfEmpty(join(this.#folder, run));
  }
}

const syncFile = promisify(fsync);
