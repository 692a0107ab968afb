import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation, OperationAnswer, OperationInput } from '@tickrate/contract';
import type { Express } from 'express';
import { answerJson } from '../answers/answer.ts';
import { contextOf, type RequestContext } from '../context.ts';
import { createOperationReader } from './operation-input.ts';

/** A call: its caller, and its input, which was checked against the schemas of the operation. */
export interface OperationCall<O extends Operation, C> extends OperationInput<O> {
  readonly operation: Operation;
  readonly context: RequestContext;
  readonly caller: C;
  /** The body as it was sent, inflated. */
  readonly bytes: Buffer;
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
}

/** Mounts the routes. The order of a call is: caller, URL, body, work, answer. */
export function addOperations<C>(app: Express, options: OperationsOptions<C>): void {
  const { admit, perform = (_call, work) => work() } = options;
  for (const { operation, handle } of options.routes) {
    const read = createOperationReader(operation);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const method = operation.method.toLowerCase() as 'get' | 'put' | 'post' | 'patch' | 'delete';
    app[method](path, async (request: IncomingMessage & RoutedRequest, response: ServerResponse) => {
      const context = contextOf(request);
      const caller = await admit(context, operation);
      const input = await read(request);
      const call = { ...input, operation, context, caller };
      const answer = await perform(call, () => handle(call));
      if (answer !== answered) answerJson(response, answer);
    });
  }
}

interface RoutedRequest {
  readonly params: Readonly<Record<string, string | string[]>>;
}
