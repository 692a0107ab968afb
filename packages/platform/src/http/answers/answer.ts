import type { ServerResponse } from 'node:http';
import { endAfterBody } from '../body/discard.ts';
import { compress, negotiateCoding, refusesIdentity } from '../body/encoding.ts';
import type { EdgeResponse } from '../connections/messages.ts';
import { contextIfAny } from '../context.ts';

export interface AnswerOptions {
  readonly status?: number;
  readonly contentType?: string;
}

const jsonType = 'application/json; charset=utf-8';
const compressedOverBytes = 1024;

/** Answers with JSON, compressed when the client accepts it and it is over 1 KiB, or it accepts nothing else. The success of a call is 200. */
export function answerJson(response: ServerResponse, body: unknown, options: AnswerOptions = {}): void {
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError('An answer must be a JSON value');
  answerText(response, text, options);
}

/** As answerJson, for text that is already written: constant answers, metrics, pages. */
export function answerText(response: ServerResponse, text: string, options: AnswerOptions = {}): void {
  const size = Buffer.byteLength(text);
  const accepted = response.req.headers['accept-encoding'];
  if (size <= compressedOverBytes && !refusesIdentity(accepted)) {
    end(response, text, { size, ...options });
    return;
  }
  response.appendHeader('Vary', 'Accept-Encoding');
  const coding = negotiateCoding(accepted);
  if (coding === 'identity' || response.req.method === 'HEAD') {
    end(response, text, { size, ...options });
    return;
  }
  compress(coding, Buffer.from(text), (bytes) => {
    if (response.destroyed) return;
    response.setHeader('Content-Encoding', coding);
    end(response, bytes, { size: bytes.byteLength, ...options });
  });
}

interface Ending extends AnswerOptions {
  readonly size: number;
}

function end(response: ServerResponse, body: string | Buffer, { size, status, contentType }: Ending): void {
  const headers = ['Content-Type', contentType ?? jsonType, 'Content-Length', String(size)];
  if (!isCacheable(response)) headers.push('Cache-Control', 'no-store');
  response.writeHead(status ?? 200, headers);
  const context = contextIfAny(response.req);
  if (context) context.answerBytes = size;
  if (context?.endsAfterBody) {
    response.write(body);
    endAfterBody(response.req, response);
  } else if (typeof body === 'string' && body.length === size) response.end(body, 'latin1');
  else response.end(body);
}

function isCacheable(response: ServerResponse): boolean {
  const { hasOwnHeaders = true } = response as Partial<EdgeResponse>;
  return hasOwnHeaders && response.hasHeader('Cache-Control');
}
