import type { RawAnswer } from './answer.ts';
import type { Platform } from './platform.ts';

export interface OutgoingRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly keepalive?: boolean;
  readonly timeoutMs?: number;
}

const mostAnswerBytes = 64 * 1024;

/** Never throws and never follows a redirect. Reads at most 64 KiB, for at most 30 seconds by default. */
export async function request(
  { fetch }: Pick<Platform, 'fetch'>,
  { url, timeoutMs = 30_000, ...sent }: OutgoingRequest,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end);
  try {
    signal.throwIfAborted();
    const { status, headers, body } = await fetch(url, {
      ...sent,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal: ended.signal,
    });
    const text = body ? await readText(body) : '';
    return { status, text, retryAfter: headers.get('retry-after'), date: headers.get('date') };
  } catch (fault) {
    return { status: 0, text: '', retryAfter: null, fault };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    // Of an answer that is too long.
    end();
  }
}

/** Throws if it is too long. */
async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes <= mostAnswerBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  throw new Error('too long');
}

/** The `traceparent` that the game gives, as a header. What is none, or throws, must not keep events from being sent. */
export function traceHeader(read: (() => string | undefined) | undefined): { traceparent?: string } {
  try {
    const traceparent = read?.();
    return traceparent && /^[\da-f-]{55}$/.test(traceparent) ? { traceparent } : {};
  } catch {
    return {};
  }
}

/** Null where the platform cannot compress, and for what the gateway takes for a bomb. */
export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!globalThis.CompressionStream) return null;
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  return isBomb(packed, text) ? null : packed;
}

/**
 * Whether a text shrinks so far that the gateway takes it for a bomb: it refuses more than 200 times, in the middle of a
 * body of which it may have stored the beginning.
 */
export function isBomb(packed: Uint8Array, text: string): boolean {
  return packed.length * 100 < text.length;
}
