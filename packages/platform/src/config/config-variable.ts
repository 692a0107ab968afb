interface Described {
  /** The name of the environment variable. */
  readonly name: string;
  /** One sentence for the operator, without a full stop. */
  readonly help: string;
}

interface StringVariable extends Described {
  readonly type: 'string';
  readonly default?: string | null;
  readonly pattern?: RegExp;
}
/** Printed nowhere: not in the start-up dump, not in a fault. */
interface SecretVariable extends Described {
  readonly type: 'secret';
  readonly default?: string | null;
  readonly minLength?: number;
  /** Why the text is refused, without the text, or null when it is good. */
  readonly check?: (text: string) => string | null;
}
interface UrlVariable extends Described {
  readonly type: 'url';
  readonly default?: string | null;
  /** With the colon, like `URL.protocol`: `['postgres:', 'postgresql:']`. */
  readonly protocols?: readonly string[];
  /** Why a URL is refused, without its text, or null when it is good. */
  readonly check?: (text: string) => string | null;
}
interface NumberVariable extends Described {
  readonly type: 'int' | 'bytes' | 'durationMs';
  readonly default?: number | null;
  readonly min?: number;
  readonly max?: number;
}
interface BooleanVariable extends Described {
  readonly type: 'boolean';
  readonly default?: boolean | null;
}
interface ListVariable extends Described {
  readonly type: 'list';
  readonly default?: readonly string[] | null;
  /** Why an item is refused, or null when it is good. */
  readonly check?: (item: string) => string | null;
}
interface EnumVariable extends Described {
  readonly type: 'enum';
  readonly values: readonly string[];
  readonly default?: string | null;
}

/** A variable without `default` is required; one whose default is null may be left out and is null then. */
export type Variable =
  | StringVariable
  | SecretVariable
  | UrlVariable
  | NumberVariable
  | BooleanVariable
  | ListVariable
  | EnumVariable;

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

export function isRequired(variable: Variable): boolean {
  return variable.default === undefined;
}
