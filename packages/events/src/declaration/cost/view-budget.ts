import type { StoredColumn } from '../stored/stored-columns.ts';

/** Each twice and more what the largest single declaration has, so that only many versions together pass them. */
const viewLimits = { read: 20_000, columns: 5_000, characters: 6 * 1024 * 1024 } as const;

/** Counts what the view over all versions of a type shows, before anything is declared that it could not show. */
export class ViewBudget {
  readonly #seen = new Set<string>();
  #read = 0;
  #characters = 0;

  /** The JSON pointer of the first member that is too much, or null. */
  take(columns: readonly StoredColumn[]): string | null {
    for (const { path, type, description } of columns) {
      this.#read += 1;
      const column = `${path} ${type}`;
      if (!this.#seen.has(column)) {
        this.#seen.add(column);
        // Name and type stand there up to four times, and each character of the words may be escaped.
        this.#characters += 4 * column.length + 2 * (description ?? '').length + 200;
      }
      const isPassed =
        this.#read > viewLimits.read ||
        this.#seen.size > viewLimits.columns ||
        this.#characters > viewLimits.characters;
      if (isPassed) return `/properties/${path.replaceAll('.', '/properties/')}`;
    }
    return null;
  }
}
