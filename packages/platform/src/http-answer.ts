import type { ServerResponse } from 'node:http';
import { contextIfAny } from './http-context.ts';
import { endAfterBody } from './http-discard.ts';
import { compress, negotiateCoding } from './http-encoding.ts';

export interface AnswerOptions {
  readonly status?: number;
  readonly contentType?: string;
}

const jsonType = 'application/json; charset=utf-8';
const compressedOverBytes = 1024;

/** Answers with JSON, compressed when the client accepts it and it is over 1 KiB. The success of a call is 200. */
export function answerJson(response: ServerResponse, body: unknown, options: AnswerOptions = {}): void {
  const text = JSON.stringify(body);
  if (text === undefined) throw new TypeError('An answer must be a JSON value');
  answerText(response, text, options);
}

/** As answerJson, for text that is already written: constant answers, metrics, pages. */
export function answerText(response: ServerResponse, text: string, options: AnswerOptions = {}): void {
  const size = Buffer.byteLength(text);
  response.statusCode = options.status ?? 200;
  response.setHeader('Content-Type', options.contentType ?? jsonType);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  if (size <= compressedOverBytes) {
    end(response, text, size);
    return;
  }
  response.appendHeader('Vary', 'Accept-Encoding');
  const coding = negotiateCoding(response.req.headers['accept-encoding']);
  if (coding === 'identity' || response.req.method === 'HEAD') {
    end(response, text, size);
    return;
  }
  compress(coding, Buffer.from(text), (bytes) => {
    if (response.destroyed) return;
    response.setHeader('Content-Encoding', coding);
    end(response, bytes, bytes.byteLength);
  });
}

function end(response: ServerResponse, body: string | Buffer, size: number): void {
  const { req } = response;
  response.setHeader('Content-Length', size);
  const context = contextIfAny(req);
  if (context) context.answerBytes = size;
  if (context?.endsAfterBody) {
    response.write(body);
    endAfterBody(req, response);
  } else response.end(body);
}
