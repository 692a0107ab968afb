interface Described<T> {
  /** The name of the environment variable. */
  readonly name: string;
  /** One sentence for the operator, without a full stop. */
  readonly help: string;
  readonly default?: T | null;
}

/** Why a text is refused, without the text, or null when it is good. */
type Check = (text: string) => string | null;

/** A variable without `default` is required; one whose default is null may be left out and is null then. */
export type Variable =
  | (Described<string> & { readonly type: 'string'; readonly pattern?: RegExp })
  /** Printed nowhere: not in the start-up dump, not in a fault. */
  | (Described<string> & { readonly type: 'secret'; readonly minLength?: number; readonly check?: Check })
  | (Described<string> & {
      readonly type: 'url';
      /** With the colon, like `URL.protocol`: `['postgres:', 'postgresql:']`. */
      readonly protocols?: readonly string[];
      readonly check?: Check;
    })
  | (Described<number> & {
      readonly type: 'int' | 'bytes' | 'durationMs';
      readonly min?: number;
      readonly max?: number;
    })
  | (Described<boolean> & { readonly type: 'boolean' })
  /** Each item is checked. */
  | (Described<readonly string[]> & { readonly type: 'list'; readonly check?: Check })
  | (Described<string> & { readonly type: 'enum'; readonly values: readonly string[] });

export type Declaration = Readonly<Record<string, Variable>>;

type Given<V extends Variable> = V extends { type: 'enum'; values: readonly (infer U)[] }
  ? U
  : V extends { type: 'int' | 'bytes' | 'durationMs' }
    ? number
    : V extends { type: 'boolean' }
      ? boolean
      : V extends { type: 'list' }
        ? readonly string[]
        : string;

type ValueOf<V extends Variable> = V extends { default: null } ? Given<V> | null : Given<V>;

/** What `parse` gives for a declaration. */
export type Values<D extends Declaration> = { readonly [K in keyof D]: ValueOf<D[K]> };
