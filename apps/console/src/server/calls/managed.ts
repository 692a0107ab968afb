import type { Operation, OperationAnswer } from '@tickrate/contract';
import { type answered, type OperationCall, type OperationRoute, operationRoute } from '@tickrate/platform';
import type { Caller } from './caller.ts';
import { translateOutage } from './translate-outage.ts';

export type ManagedRoute = OperationRoute<Caller>;

export type ManagedCall<O extends Operation> = OperationCall<O, Caller>;

/** An answer is only written, so that a handler can pass read-only records on as they are. */
type Written<T> = T extends readonly (infer E)[]
  ? readonly Written<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Written<T[K]> }
    : T;

export function managed<const O extends Operation>(
  operation: O,
  handle: (call: ManagedCall<O>) => Promise<Written<OperationAnswer<O>> | typeof answered>,
): ManagedRoute {
  return operationRoute<Caller, O>(operation, (call) =>
    translateOutage(() => handle(call) as Promise<OperationAnswer<O> | typeof answered>),
  );
}

/** The keys and sessions that can call the management API. */
export const managers = ['administrative', 'session'] as const;
