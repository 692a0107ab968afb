import { fault, type Place } from '../reading/declaration-faults.ts';

/** What a declaration may be when each reference is written out in its place: all that is made of it grows with that. */
const expandedLimits = { schemas: 4_000, values: 60_000, characters: 1024 * 1024 } as const;

export interface Spent {
  readonly schemas: number;
  readonly values: number;
  readonly characters: number;
}

// Their content is read as schemas of its own.
const schemaKeywords = new Set(['properties', 'items', 'additionalProperties']);

/** Counts while a declaration is read, before anything is made of it. Once a limit is passed, nothing more is read. */
export class DeclarationBudget {
  readonly #sizes = new WeakMap<object, number>();
  #spent: Spent = { schemas: 0, values: 0, characters: 0 };
  #isPassed = false;

  get spent(): Spent {
    return this.#spent;
  }

  get isPassed(): boolean {
    return this.#isPassed;
  }

  /** Nothing more is read: another limit was passed. */
  close(): void {
    this.#isPassed = true;
  }

  /** Whether one schema fits. Returns the keyword that exceeds the budget. */
  takeSchema(schema: Readonly<Record<string, unknown>>, place: Place): boolean {
    if (this.#isPassed) return false;
    if (!this.take({ schemas: 1, values: 0, characters: 0 })) return this.#pass(place, '', 'schemas');
    for (const keyword of Object.keys(schema)) {
      const value = schema[keyword];
      const values = keyword === 'enum' && Array.isArray(value) ? value.length : 0;
      if (!this.take({ schemas: 0, values, characters: 0 })) return this.#pass(place, keyword, 'values');
      const characters = keyword.length + this.#sizeOf(keyword, value);
      if (!this.take({ schemas: 0, values: 0, characters })) return this.#pass(place, keyword, 'characters');
    }
    return true;
  }

  /** Takes all of it, or nothing and answers false. */
  take({ schemas, values, characters }: Spent): boolean {
    const next: Spent = {
      schemas: this.#spent.schemas + schemas,
      values: this.#spent.values + values,
      characters: this.#spent.characters + characters,
    };
    const fits =
      next.schemas <= expandedLimits.schemas &&
      next.values <= expandedLimits.values &&
      next.characters <= expandedLimits.characters;
    if (fits) this.#spent = next;
    return fits;
  }

  #pass(place: Place, keyword: string, what: keyof Spent): false {
    this.#isPassed = true;
    fault(
      place,
      keyword,
      `at most ${expandedLimits[what]} ${what} are declared, each reference written out, and this passes them`,
    );
    return false;
  }

  #sizeOf(keyword: string, value: unknown): number {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 8;
    if (schemaKeywords.has(keyword) && !Array.isArray(value)) return 0;
    const size = this.#sizes.get(value) ?? JSON.stringify(value).length;
    this.#sizes.set(value, size);
    return size;
  }
}

export function spentSince(before: Spent, after: Spent): Spent {
  return {
    schemas: after.schemas - before.schemas,
    values: after.values - before.values,
    characters: after.characters - before.characters,
  };
}
