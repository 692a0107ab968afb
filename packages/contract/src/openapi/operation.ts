import type { Static, TObject, TSchema } from 'typebox';
import type { KeyKind } from '../api-key.ts';
import type { Reason } from '../error-catalogue.ts';

/**
 * One call of an API, described once: what validates it, the types of the code behind it, its place in the OpenAPI
 * document and on the page are all made from this.
 */
export interface Operation {
  /** Unique in its API, a verb and a noun: `createKey`. Also the name of the act in the audit trail. */
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: `/v1/keys/{keyId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The kinds of keys that may call; none for a call that takes no key. */
  readonly keys: readonly KeyKind[];
  /** What the key must be permitted: `keys:read`. */
  readonly scope?: string;
  readonly params?: TObject;
  /** Texts from the URL are turned into the numbers and booleans that the schema asks for. */
  readonly query?: TObject;
  /** Only described: whoever handles the call reads them. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  /** JSON when left out. */
  readonly bodyTypes?: readonly string[];
  /** Of the body; 64 KiB when left out. */
  readonly bodyBytes?: number;
  /** The body may hold U+0000, which PostgreSQL keeps in no text; elsewhere it is refused. */
  readonly anyText?: boolean;
  readonly answer: TSchema;
  /** JSON when left out. */
  readonly answerTypes?: readonly string[];
  /** How the call may be refused, beside what every call of its kind may be refused with. */
  readonly refusals?: readonly Reason[];
  /** Each is a whole call that works when it is sent after those before it in the table. */
  readonly examples: readonly OperationExample[];
}

export interface OperationExample {
  /** Unique in the operation. */
  readonly name: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

export interface OperationInput<O extends Operation> {
  readonly params: O extends { readonly params: infer S extends TSchema } ? Static<S> : undefined;
  readonly query: O extends { readonly query: infer S extends TSchema } ? Static<S> : undefined;
  readonly body: O extends { readonly body: infer S extends TSchema } ? Static<S> : undefined;
}

export type OperationAnswer<O extends Operation> = Static<O['answer']>;

/** Keeps the schemas' own types, of which those of the handler are made. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}
