import type { IncomingMessage } from 'node:http';
import { type SystemError, systemError } from '@tickrate/contract';
import { contextOf } from '../context.ts';
import { codingOf } from './body-coding.ts';
import { inflateBody, inflationLimit } from './inflate.ts';

export interface BodyLimits {
  /** Of the body as sent and of the body as inflated. */
  readonly limitBytes: number;
  /** How many times its own size a compressed body may grow, above the first 64 KiB; 200 when left out. */
  readonly ratio?: number;
  /** For the whole body, from the call on; 30 s when left out. */
  readonly timeoutMs?: number;
  /** Media types beside JSON and plain text, which `sendBeacon` sends. */
  readonly types?: readonly string[];
}

/**
 * The whole body, inflated; empty when there is none. Rejects with a SystemError: 1004 too large (before reading when
 * Content-Length tells), 1005 a type or coding that is not read, 1008 not complete in time or the client gone, 1009
 * not decodable, 6001 when too many bodies are on their way at once.
 * Whether it is valid UTF-8 is the caller's business. After a rejection answer as usual: what is left is discarded.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const coding = codingOf(request, limits);
  if (typeof coding !== 'string') return Promise.reject(coding);
  const collected = collect(request, limits);
  if (coding === 'identity') return collected;
  const { bodies } = contextOf(request);
  return collected.then((bytes) => {
    if (bytes.byteLength === 0) return bytes;
    const limit = inflationLimit(bytes.byteLength, limits.limitBytes, limits.ratio);
    return inflateBody(coding, bytes, { limit, bodies });
  });
}

function collect(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const context = contextOf(request);
  if (context.bodyFault) return Promise.reject(context.bodyFault);
  if (request.destroyed && !request.readableEnded) return Promise.reject(systemError('requestTimeout'));
  context.askForBody();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let held = 0;
    const deadline = context.bodies.deadlines.begin(limits.timeoutMs ?? 30_000, () =>
      settle(systemError('requestTimeout')),
    );
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > limits.limitBytes) settle(systemError('bodyTooLarge', { amount: limits.limitBytes }));
      else if (context.bodies.take(chunk.byteLength)) {
        held += chunk.byteLength;
        chunks.push(chunk);
      } else settle(systemError('temporarilyUnavailable', { retryAfterSeconds: 1 }));
    };
    const onEnd = () => settle(null);
    const onGone = () => settle(systemError('requestTimeout'));
    const settle = (fault: SystemError | null) => {
      deadline.end();
      context.failBody = null;
      context.bodies.give(held);
      request.removeListener('data', onData);
      request.removeListener('end', onEnd);
      request.removeListener('error', onGone);
      if (fault) {
        // The client receives the refusal. The edge handles later faults of the connection.
        request.on('error', () => undefined);
        request.pause();
        chunks.length = 0;
        reject(fault);
      } else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    context.failBody = settle;
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('error', onGone);
  });
}
