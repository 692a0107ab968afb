/** The observations of one combination of label values. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  readonly #next = new Map<string | number, HistogramSeries>();
  /** One for each bound, and one beyond the last. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** The series with the value of one more label, in the order in which the labels were declared. */
  of(value: string | number): HistogramSeries {
    const known = this.#next.get(value);
    if (known !== undefined) return known;
    const created = new HistogramSeries(this.#bounds);
    this.#next.set(value, created);
    return created;
  }

  /** `times` is how often the same value was seen. */
  observe(value: number, times = 1): void {
    let at = 0;
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + times;
    this.#sum += value * times;
  }

  /** The lines of every series below this one. `labels` are those that are still to come. */
  *lines(name: string, labels: readonly string[], known = ''): Generator<string> {
    const [label, ...rest] = labels;
    if (label !== undefined) {
      for (const [value, next] of this.#next) {
        yield* next.lines(name, rest, `${known}${label}=${JSON.stringify(String(value))},`);
      }
      return;
    }
    let count = 0;
    for (const [at, found] of this.#counts.entries()) {
      count += found;
      yield `${name}_bucket{${known}le="${this.#bounds[at] ?? '+Inf'}"} ${count}`;
    }
    const braced = known === '' ? '' : `{${known.slice(0, -1)}}`;
    yield `${name}_sum${braced} ${this.#sum}`;
    yield `${name}_count${braced} ${count}`;
  }
}
