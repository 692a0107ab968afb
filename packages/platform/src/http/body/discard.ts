import type { IncomingMessage, ServerResponse } from 'node:http';

const discardAtMostBytes = 16 * 1024 * 1024;
const discardAtMostMs = 2000;

/** Whether so much is still to come that reading it costs more than a new connection. */
export function tooMuchToDiscard(request: IncomingMessage): boolean {
  return Number(request.headers['content-length'] ?? 0) > discardAtMostBytes;
}

/**
 * Ends an answer, written already, that was given before the whole body arrived. Closing a socket with unread bytes
 * resets it, and the client may lose the answer: so they are read and dropped first, within bounds.
 */
export function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > discardAtMostBytes) settle(false);
  };
  const onEnd = () => settle(true);
  const onGone = () => settle(false);
  const timer = setTimeout(onGone, discardAtMostMs);
  const settle = (complete: boolean) => {
    clearTimeout(timer);
    request.removeListener('data', onData);
    request.removeListener('end', onEnd);
    request.removeListener('close', onGone);
    response.end();
    if (!complete) request.socket.destroySoon();
  };
  request.on('data', onData);
  request.on('end', onEnd);
  request.on('close', onGone);
  request.on('error', onGone);
}
