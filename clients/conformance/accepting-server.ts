import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AcceptingServer {
  readonly url: string;
  /** The requests with events. */
  readonly bodies: readonly string[];
  close(): void;
}

/** A server for first events of READMEs: it signs every device in, and accepts every event. */
export async function startAcceptingServer(): Promise<AcceptingServer> {
  const bodies: string[] = [];
  const session = {
    id: 's',
    accountId: 'u-1',
    apiKey: 'tk_ses_1',
    start: 1_763_809_200,
    expiry: 1_763_812_800,
  };
  const signedIn = { authenticatedSession: session, issuedDeviceToken: { deviceId: 'd', deviceSecret: 's' } };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = request.url ?? '';
    const isOfEvents = path.startsWith('/v1/event/');
    let answer: object = isOfEvents ? { accepted: 1, rejected: [] } : { protocol: 1 };
    if (isOfEvents) bodies.push(Buffer.concat(parts).toString());
    if (path.endsWith('/authenticate')) answer = signedIn;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, close };
}
