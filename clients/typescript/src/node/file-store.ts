import { createHash } from 'node:crypto';
import {
  closeSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, readFile, rename, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readState, type SavedState } from '../core/saved-state.ts';
import { readName } from '../core/segment.ts';
import { type FoundSegment, isDiskFull, type SegmentPlace, type Store, StoreTaken } from '../core/store.ts';
import { RunLock } from './run-lock.ts';

const asideBytes = 1024 * 1024;
const runPattern = /^[0-9a-f]{16}-[0-9a-f]{8}$/;

/** The folder of a key on this computer. */
export function defaultFolder(key: string): string {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const home = homedir();
  const places: Partial<Record<NodeJS.Platform, string>> = {
    win32: join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  return join(places[process.platform] ?? join(home, '.local', 'share'), 'tickrate', name);
}

/**
 * Segments as files. `append` reaches the page cache before it returns. Throws from `open` if the folder cannot be
 * written.
 */
export function createFileStore(folder: string, randomHex: (bytes: number) => string): Store {
  return new FileStore(folder, randomHex);
}

class FileStore implements Store {
  readonly durable = true;
  readonly #folder: string;
  readonly #randomHex: (bytes: number) => string;
  readonly #files = new Map<string, { readonly fd: number; bytes: number }>();
  readonly #lock: RunLock;

  constructor(folder: string, randomHex: (bytes: number) => string) {
    this.#folder = folder;
    this.#randomHex = randomHex;
    this.#lock = new RunLock(folder, randomHex);
  }

  async open() {
    mkdirSync(join(this.#folder, 'aside'), { recursive: true });
    this.#beginRun();
    const found = readdirSync(this.#folder)
      .filter((name) => runPattern.test(name) && name !== this.#lock.run && this.#lock.adopt(name))
      .flatMap((run) => this.#readRun(run));
    return { found, state: this.#readState() };
  }

  append(name: string, text: string): void {
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
    const file = this.#files.get(place.name);
    const run = place.run || this.#lock.run;
    const sealed = { run, name: place.name, sealed: true };
    if (file) {
      await syncFile(file.fd);
      this.#files.delete(place.name);
      closeSync(file.fd);
    } else if (place.run) {
      const handle = await open(this.#path(place), 'r+');
      await handle.sync();
      await handle.close();
    } else throw new StoreTaken();
    await rename(this.#path({ ...place, run }), this.#path(sealed));
    return sealed;
  }

  read(place: SegmentPlace): Promise<string> {
    return readFile(this.#path(place), 'utf8');
  }

  async write(place: SegmentPlace, text: string): Promise<void> {
    const path = this.#path({ ...place, sealed: true });
    const handle = await open(`${path}.tmp`, 'w');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.tmp`, path);
  }

  async remove(place: SegmentPlace): Promise<void> {
    await unlink(this.#path(place)).catch(ignoreAbsent);
    this.#removeEmptyRun(place.run);
  }

  async setAside(place: SegmentPlace): Promise<void> {
    const aside = join(this.#folder, 'aside');
    await rename(this.#path(place), join(aside, `${place.name}.seal`)).catch(ignoreAbsent);
    const files = readdirSync(aside)
      .toSorted()
      .map((name) => ({ path: join(aside, name), bytes: statSync(join(aside, name)).size }));
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      if (bytes <= asideBytes) break;
      rmSync(file.path, { force: true });
      bytes -= file.bytes;
    }
    this.#removeEmptyRun(place.run);
  }

  async clear(): Promise<void> {
    for (const name of this.#files.keys()) this.#abandon(name, this.#files.get(name)?.fd ?? -1);
    for (const run of [...this.#runs(), 'aside'])
      for (const name of readdirSync(join(this.#folder, run)))
        if (readName(name)) rmSync(join(this.#folder, run, name), { force: true });
  }

  async updateState(change: (known: SavedState | null) => SavedState): Promise<SavedState> {
    const known = this.#readState();
    const state = change(known);
    const path = join(this.#folder, 'state.json');
    const temporary = `${path}.${this.#randomHex(4)}.tmp`;
    try {
      writeFileSync(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    if (known === null && !this.#isFirst(temporary, path)) {
      rmSync(temporary, { force: true });
      return this.updateState(change);
    }
    renameSync(temporary, path);
    // Two links to one file: then the rename did nothing.
    rmSync(temporary, { force: true });
    return state;
  }

  /** False if another process began the folder at this moment: its installation is the folder's. */
  #isFirst(temporary: string, path: string): boolean {
    try {
      linkSync(temporary, path);
      return true;
    } catch {
      // Not every file system has links, and an unreadable state is replaced.
      return this.#readState() === null;
    }
  }

  async close(): Promise<void> {
    this.#closeFiles();
    this.#lock.release();
    this.#removeEmptyRun(this.#lock.run, true);
  }

  /** A full disk: what earlier runs left is sent, which makes space for a run of this process. */
  #beginRun(): void {
    try {
      this.#lock.begin();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  /** Another process has the files, and sends them. */
  #leaveRun(): never {
    this.#closeFiles();
    this.#lock.begin();
    throw new StoreTaken();
  }

  #closeFiles(): void {
    for (const { fd } of this.#files.values()) closeSync(fd);
    this.#files.clear();
  }

  #runs(): string[] {
    return readdirSync(this.#folder).filter((name) => runPattern.test(name) && this.#lock.isUnused(name));
  }

  #readRun(run: string): FoundSegment[] {
    const found = readdirSync(join(this.#folder, run)).flatMap((name) => {
      const read = readName(name);
      if (read === null) return [];
      const place = { run, name: name.slice(0, -5), sealed: read.sealed };
      return [{ place, text: readFileSync(this.#path(place), 'utf8') }];
    });
    if (found.length === 0) this.#removeEmptyRun(run, true);
    return found;
  }

  #readState(): SavedState | null {
    try {
      return readState(JSON.parse(readFileSync(join(this.#folder, 'state.json'), 'utf8')));
    } catch {
      return null;
    }
  }

  #create(name: string): { readonly fd: number; bytes: number } {
    const file = { fd: openSync(this.#path({ run: this.#lock.run, name, sealed: false }), 'wx'), bytes: 0 };
    this.#files.set(name, file);
    return file;
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
    if (run === '' || (run === this.#lock.run && !isOwn)) return;
    const path = join(this.#folder, run);
    try {
      if (readdirSync(path).some((name) => name !== 'lock')) return;
      rmSync(join(path, 'lock'), { force: true });
      rmdirSync(path);
    } catch {
      // Another process is faster, or uses it.
    }
  }
}

const syncFile = promisify(fsync);

function ignoreAbsent(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
}
