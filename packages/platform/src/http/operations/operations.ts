import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation, OperationAnswer, OperationInput } from '@tickrate/contract';
import type { Express } from 'express';
import { answerJson } from '../answers/answer.ts';
import { contextOf, type RequestContext } from '../context.ts';
import { createOperationReader } from './operation-input.ts';

/** A call that arrived: who sends it, and what was sent, checked against the operation's schemas. */
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
  // The reader has checked what the types say.
  return { operation, handle: handle as OperationRoute<C>['handle'] };
}

export interface OperationsOptions<C> {
  readonly routes: readonly OperationRoute<C>[];
  /** Who calls, and whether they may. Runs before anything of the body is read; rejects with the refusal. */
  admit(context: RequestContext, operation: Operation): Promise<C>;
  /** Does the work of an admitted call: here it is counted, or written down. */
  perform?(call: OperationCall<Operation, C>, work: () => Promise<unknown>): Promise<unknown>;
}

/** Mounts the routes. The order of a call: who, the URL, the body, the work, the answer. */
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
