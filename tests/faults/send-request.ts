import { type Agent, request } from 'node:http';

export interface OutgoingRequest {
  readonly agent: Agent;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

/** The answer; null without one, or if a proxy had none: then the outcome of the request is unknown. */
export function sendRequest(outgoing: OutgoingRequest): Promise<{ status: number; text: string } | null> {
  const { agent, port, path, headers, body, timeoutMs } = outgoing;
  return new Promise((resolve) => {
    const sent = request({
      agent,
      port,
      path,
      headers,
      host: '127.0.0.1',
      method: 'PUT',
      timeout: timeoutMs,
    });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      const { statusCode: status = 0 } = response;
      response.on('end', () => resolve([502, 504].includes(status) ? null : { status, text }));
      response.on('error', () => resolve(null));
      response.on('close', () => resolve(null));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(null));
    sent.end(body);
  });
}
