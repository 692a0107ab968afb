import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { answerJson, answerText } from '../http/answers/answer.ts';
import { type BodyLimits, readBody } from '../http/body/read-body.ts';
import { type Harness, startHarness } from './http-harness.ts';

export const codings = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;
export type Coding = keyof typeof codings;
export const codingNames = Object.keys(codings) as Coding[];

/** A server that reads bodies within these limits. */
export function startBodyHarness(limits: BodyLimits): Promise<Harness> {
  return startHarness({
    routes: (app) => {
      app.put('/body', async (request, response) => {
        const body = await readBody(request, limits);
        answerJson(response, { length: body.length, text: body.subarray(0, 40).toString('utf8') });
      });
      app.put('/refused', (_request, response) => answerText(response, 'true'));
    },
  });
}

interface Put {
  readonly status: number;
  readonly body: unknown;
}

/** Sends one body. */
export async function put(
  edge: Harness,
  body: Uint8Array | string,
  headers: Record<string, string> = {},
): Promise<Put> {
  const answer = await fetch(`${edge.url}/body`, { method: 'PUT', body, headers });
  return { status: answer.status, body: await answer.json() };
}
