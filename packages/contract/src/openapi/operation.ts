import type { Static, TObject, TSchema } from 'typebox';
import type { KeyKind } from '../api-key.ts';
import type { Reason } from '../error-catalogue.ts';

/*
 * One call of an API, described once. Its validation, the types of its handler, its entry in the OpenAPI document and
 * its part of the page are derived from it.
 */
export interface Operation {
  /** Unique in its API, a verb and a noun: `createKey`. Also the name of the action in the audit trail. */
  readonly id: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces: `/v1/keys/{keyId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The kinds of keys that can call it. Empty for a call without a key. */
  readonly keys: readonly KeyKind[];
  /** The scope that the key requires: `keys:read`. */
  readonly scope?: string;
  readonly params?: TObject;
  /** Texts from the URL are converted to the numbers and booleans of the schema. */
  readonly query?: TObject;
  /** Only documented: the handler reads them. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  /** The default is JSON. */
  readonly bodyTypes?: readonly string[];
  /** The limit of the body. The default is 64 KiB. */
  readonly bodyBytes?: number;
  /** Whether the body can contain U+0000. PostgreSQL cannot store it in a text, so other calls reject it. */
  readonly anyText?: boolean;
  readonly answer: TSchema;
  /** The default is JSON. */
  readonly answerTypes?: readonly string[];
  /** Errors of this call, in addition to the errors of every call of its kind. */
  readonly refusals?: readonly Reason[];
  /** Each example is a complete call. It works when it is sent after the examples before it. */
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

/** Keeps the types of the schemas. The types of the handler are derived from them. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Defines operations by their ids, with the members that they share. An operation may replace one of these. */
export function operationsOf<const S extends Partial<Operation>>(shared: S) {
  type Defined = Omit<Operation, keyof S | 'id'> & Partial<Operation>;
  return <const T extends Readonly<Record<string, Defined>>>(table: T) => {
    const operations = Object.entries(table).map(([id, operation]) => [id, { ...shared, ...operation, id }]);
    return Object.fromEntries(operations) as {
      readonly [Id in keyof T]: Omit<S, keyof T[Id]> & T[Id] & { readonly id: Id };
    };
  };
}
