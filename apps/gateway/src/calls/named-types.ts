import { limits, parameterInvalid } from '@tickrate/contract';

/** A type, and its version or null for the newest, as elements of one request name it: one object for all of them. */
export interface NamedType {
  readonly name: string;
  readonly version: number | null;
}

export interface SpelledType {
  readonly nameAt: number;
  readonly nameEnd: number;
  readonly version: number | null;
}

/**
 * The distinct types that a request names. Each costs a look-up, so their number is limited: 1003 is thrown beyond it.
 */
export class NamedTypes {
  readonly #named = new Map<string, NamedType>();
  #lastText = Buffer.alloc(0);
  #last: NamedType = { name: '', version: null };

  of(name: string, version: number | null): NamedType {
    const key = `${version ?? ''}/${name}`;
    const type = this.#named.get(key) ?? { name, version };
    this.#named.set(key, type);
    if (this.#named.size > limits.batchTypes)
      throw parameterInvalid('eventType', `at most ${limits.batchTypes} different types in one request`);
    return type;
  }

  /** The type whose name is in `body`, in ASCII. Most elements have the same type as the element before. */
  at(body: Buffer, { nameAt, nameEnd, version }: SpelledType): NamedType {
    const isLast =
      version === this.#last.version &&
      nameEnd - nameAt === this.#lastText.length &&
      isAt(body, nameAt, this.#lastText);
    if (!isLast) {
      this.#last = this.of(body.toString('latin1', nameAt, nameEnd), version);
      this.#lastText = Buffer.from(this.#last.name, 'latin1');
    }
    return this.#last;
  }

  all(): NamedType[] {
    return [...this.#named.values()];
  }
}

/** Whether the bytes at `at` are these. Compares from the end, because many names begin alike. */
export function isAt(body: Buffer, at: number, text: Buffer): boolean {
  for (let n = text.length - 1; n >= 0; n--) if (body[at + n] !== text[n]) return false;
  return true;
}
