import type { Operation, OperationAnswer, OperationInput } from './operation.ts';

/*
 * The types of a client that calls the operations of the union `O` by name. A wrong name, parameter, body or member of
 * the answer does not compile.
 */

/** `POST /v1/keys`: a method and a path. */
export type OperationName<O extends Operation> = O extends {
  readonly method: infer M extends string;
  readonly path: infer P extends string;
}
  ? `${M} ${P}`
  : never;

type Named<O extends Operation, N> = O extends Operation ? (N extends OperationName<O> ? O : never) : never;

export type CallAnswer<O extends Operation, N extends OperationName<O>> = OperationAnswer<Named<O, N>>;

/** A row of a list. */
export type CallRow<O extends Operation, N extends OperationName<O>> =
  CallAnswer<O, N> extends { readonly results: readonly (infer R)[] } ? R : never;

export type CallBody<O extends Operation, N extends OperationName<O>> = OperationInput<Named<O, N>>['body'];

/** The arguments after the name. The input is optional if the operation requires nothing. */
export type CallArguments<O extends Operation, N extends OperationName<O>, Options> =
  object extends Parts<O, N>
    ? [input?: Options]
    : object extends Parts<O, N>[keyof Parts<O, N>]
      ? [input?: Partial<Parts<O, N>> & Options]
      : [input: Parts<O, N> & Options];

type Parts<O extends Operation, N extends OperationName<O>> = Given<OperationInput<Named<O, N>>>;
type Given<T> = { readonly [K in keyof T as T[K] extends undefined ? never : K]: Sent<T[K]> };
/** An optional member may also be undefined: it is not sent then. */
type Sent<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: T[K] | (object extends Pick<T, K> ? undefined : never) }
    : T;
