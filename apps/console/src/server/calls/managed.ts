import type { Operation, OperationAnswer } from '@tickrate/contract';
import { type answered, type OperationCall, type OperationRoute, operationRoute } from '@tickrate/platform';
import type { Caller } from './caller.ts';
import { translateOutage } from './translate-outage.ts';

export type ManagedRoute = OperationRoute<Caller>;

export type ManagedCall<O extends Operation> = OperationCall<O, Caller>;

/** A row of the table of routes of the management API. */
export function managed<const O extends Operation>(
  operation: O,
  handle: (call: ManagedCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): ManagedRoute {
  return operationRoute<Caller, O>(operation, (call) => translateOutage(() => handle(call)));
}

/** The keys and sessions that can call the management API. */
export const managers = ['administrative', 'session'] as const;
