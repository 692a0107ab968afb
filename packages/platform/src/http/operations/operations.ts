import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation, OperationAnswer, OperationInput } from '@tickrate/contract';
import type { Express } from 'express';
import { withNotedWrites } from '../../concurrency/noted-writes.ts';
import { answerJson } from '../answers/answer.ts';
import { contextOf, type RequestContext } from '../context.ts';
import type { LenientReading } from './lenient-body.ts';
import { createOperationReader } from './operation-input.ts';

/** A call: its caller, and its input, which was checked against the schemas of the operation. */
export interface OperationCall<O extends Operation, C> extends OperationInput<O> {
  readonly operation: Operation;
  readonly context: RequestContext;
  readonly caller: C;
  /** The body as it was sent, inflated. */
  readonly bytes: Buffer;
  /** JSON pointers of the first members of the body that a lenient reading left out. */
  readonly unknownMembers: readonly string[];
}

/** What a handler resolves to when it has answered by itself: a stream. */
export const answered = Symbol('answered');

export interface OperationRoute<C> {
  readonly operation: Operation;
  handle(call: OperationCall<Operation, C>): Promise<unknown>;
}

/** One row of the table of routes: an operation and what does it, with the types of its schemas. */
export function operationRoute<C, const O extends Operation>(
  operation: O,
  handle: (call: OperationCall<O, C>) => Promise<OperationAnswer<O> | typeof answered>,
): OperationRoute<C> {
  // The reader has checked the types.
  return { operation, handle: handle as OperationRoute<C>['handle'] };
}

export interface OperationsOptions<C> {
  readonly routes: readonly OperationRoute<C>[];
  /** Identifies the caller and checks its rights before the body is read. Rejects with the refusal. */
  admit(context: RequestContext, operation: Operation): Promise<C>;
  /** Runs the work of an admitted call, for example to count or record it. */
  perform?(call: OperationCall<Operation, C>, work: () => Promise<unknown>): Promise<unknown>;
  /** Serves every call under each of these, instead of under the first segment of its path. */
  readonly versions?: readonly string[];
  /** Reads bodies leniently. The default rejects unknown members and null. */
  readonly lenient?: LenientReading;
}

/** Mounts the routes. The order of a call is: caller, URL, body, work, answer. */
export function addOperations<C>(app: Express, options: OperationsOptions<C>): void {
  for (const route of options.routes) {
    const handler = createHandler(route, options);
    const method = route.operation.method.toLowerCase() as 'get' | 'put' | 'post' | 'patch' | 'delete';
    for (const path of pathsOf(route.operation, options)) app[method](path, handler);
  }
}

function createHandler<C>(
  { operation, handle }: OperationRoute<C>,
  { admit, perform = (_call, work) => work(), lenient }: OperationsOptions<C>,
) {
  const read = createOperationReader(operation, lenient);
  return async (request: IncomingMessage & RoutedRequest, response: ServerResponse): Promise<void> => {
    const context = contextOf(request);
    const caller = await admit(context, operation);
    const input = await read(request);
    const call = { ...input, operation, context, caller };
    const answer = await perform(call, () => withNotedWrites(() => handle(call)));
    if (answer !== answered) answerJson(response, answer);
  };
}

function pathsOf<C>({ path }: Operation, { versions }: OperationsOptions<C>): string[] {
  const routed = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return versions === undefined
    ? [routed]
    : versions.map((version) => routed.replace(/^\/[^/]+/, `/${version}`));
}

interface RoutedRequest {
  readonly params: Readonly<Record<string, string | string[]>>;
}
