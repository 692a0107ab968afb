import type { RawAnswer } from './answer.ts';
import type { Platform } from './platform.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly keepalive?: boolean;
}

const timeoutMs = 30_000;
const mostAnswerBytes = 64 * 1024;
const nothing: RawAnswer = { status: 0, text: '', retryAfter: null };

/** Never throws and never follows a redirect. Reads at most 64 KiB, for at most 30 seconds. */
export async function request(
  { fetch }: Pick<Platform, 'fetch'>,
  { url, ...sent }: OutgoingRequest,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) return nothing;
    const answer = await fetch(url, {
      ...sent,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal: ended.signal,
    });
    const text = await readText(answer);
    if (text === null) return nothing;
    const { status, headers } = answer;
    return { status, text, retryAfter: headers.get('retry-after'), date: headers.get('date') };
  } catch {
    return nothing;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Null if it is too long. */
async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > mostAnswerBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Null where the platform cannot compress, and for a text that shrinks so far that the gateway takes it for a bomb: it
 * refuses more than 200 times, in the middle of a body of which it may have stored the beginning.
 */
export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (typeof CompressionStream === 'undefined') return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return packed.length * 100 < text.length ? null : packed;
}
