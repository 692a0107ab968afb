import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readState, type SavedState } from '../core/saved-state.ts';

/** `state.json`, which all processes of a folder share. */
export class StateFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #randomHex: (bytes: number) => string;
  #last: SavedState | null = null;

  constructor(folder: string, randomHex: (bytes: number) => string) {
    this.#folder = folder;
    this.#path = join(folder, 'state.json');
    this.#randomHex = randomHex;
  }

  /** Null if it is absent or not readable. */
  read(): SavedState | null {
    try {
      return this.#remember(readState(JSON.parse(readFileSync(this.#path, 'utf8'))));
    } catch {
      return null;
    }
  }

  /** True if a person deleted the folder, and another installation made it again: its events belong to its account. */
  isOfAnother(installation: string): boolean {
    return (this.read()?.installation ?? installation) !== installation;
  }

  isThere(): boolean {
    return existsSync(this.#path);
  }

  /** Replaces it. Throws if it cannot be written. */
  update(change: (known: SavedState | null) => SavedState): SavedState {
    const known = this.read();
    const state = change(known);
    mkdirSync(this.#folder, { recursive: true });
    const temporary = `${this.#path}.${this.#randomHex(4)}.tmp`;
    try {
      writeFileSync(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
      if (known !== null || this.#isFirst(temporary)) {
        renameSync(temporary, this.#path);
        this.#remember(state);
        return state;
      }
    } finally {
      // Two links to one file: then the rename did nothing.
      rmSync(temporary, { force: true });
    }
    return this.update(change);
  }

  /** Writes it again after a person deleted it. */
  restore(): void {
    const last = this.#last;
    try {
      if (last !== null) this.update((known) => known ?? last);
    } catch {
      // The next change is written with it.
    }
  }

  #remember(state: SavedState | null): SavedState | null {
    this.#last = state ?? this.#last;
    return state;
  }

  /** False if another process began the folder at this moment: its installation is the folder's. */
  #isFirst(temporary: string): boolean {
    try {
      linkSync(temporary, this.#path);
      return true;
    } catch {
      // Not every file system has links, and an unreadable state is replaced.
      return this.read() === null;
    }
  }
}
