import { type DeclarationBudget, type Spent, spentSince } from '../cost/declaration-budget.ts';
import type { Shape } from '../shape.ts';
import type { Place } from './declaration-faults.ts';

interface Known {
  readonly shape: Shape;
  readonly height: number;
  readonly properties: number;
  readonly spent: Spent;
}

interface Use {
  readonly name: string;
  readonly place: Place;
  readonly repeated: boolean;
  readonly counts: { properties: number; readonly occurredAt: number };
}

interface Limits {
  readonly properties: number;
  readonly depth: number;
}

/**
 * The definitions that were read without a fault: each use after the first has the very same shape, so that what is made
 * of it is made once. The budget pays for each use as if it was read again.
 */
export class KnownDefinitions {
  readonly #budget: DeclarationBudget;
  readonly #limits: Limits;
  readonly #known = new Map<string, Known>();

  constructor(budget: DeclarationBudget, limits: Limits) {
    this.#budget = budget;
    this.#limits = limits;
  }

  has(name: string): boolean {
    return this.#known.has(keyOf(name, false)) || this.#known.has(keyOf(name, true));
  }

  /** A definition that does not fit is read again, so that the fault names the place that exceeds a limit. */
  read(use: Use, readAnew: () => Shape | null): Shape | null {
    const { place, counts } = use;
    const key = keyOf(use.name, use.repeated);
    const known = this.#known.get(key);
    if (known !== undefined && this.#fits(known, use) && this.#budget.take(known.spent)) {
      counts.properties += known.properties;
      return known.shape;
    }
    const before = { spent: this.#budget.spent, faults: place.faults.length, ...counts };
    const shape = readAnew();
    const isPlain = place.faults.length === before.faults && counts.occurredAt === before.occurredAt;
    if (shape !== null && isPlain && !this.#budget.isPassed) {
      this.#known.set(key, {
        shape,
        height: heightOf(shape),
        properties: counts.properties - before.properties,
        spent: spentSince(before.spent, this.#budget.spent),
      });
    }
    return shape;
  }

  #fits(known: Known, { place, counts }: Use): boolean {
    return (
      !this.#budget.isPassed &&
      place.depth + known.height <= this.#limits.depth + 1 &&
      counts.properties + known.properties <= this.#limits.properties
    );
  }
}

function keyOf(name: string, repeated: boolean): string {
  return `${repeated ? 'repeated' : 'single'} ${name}`;
}

function heightOf(shape: Shape): number {
  switch (shape.kind) {
    case 'object':
      return shape.members.reduce((most, { shape: member }) => Math.max(most, 1 + heightOf(member)), 0);
    case 'map':
      return 1 + heightOf(shape.values);
    case 'array':
      return 1 + heightOf(shape.items);
    default:
      return 0;
  }
}
