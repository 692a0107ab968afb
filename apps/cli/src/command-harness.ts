import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { cliConfig } from './config.ts';
import { runTickrate } from './tickrate.ts';

/** A request that a command sent. */
export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body?: unknown;
}

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

/** Runs `tickrate` in this process with this environment. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { nowMs }: { readonly nowMs?: number } = {},
): Promise<CommandOutcome> {
  let out = '';
  let complaint = '';
  const code = await runTickrate(args, {
    readValues: () => cliConfig.parse(environment),
    out: (text) => {
      out += text;
    },
    complain: (text) => {
      complaint += text;
    },
    readInput: async () => '',
    readSecret: async () => '',
    interactive: false,
    signal: new AbortController().signal,
    now: nowMs === undefined ? Date.now : () => nowMs,
  });
  return { code, out, complaint };
}

/** An answer that is not 200. */
export class RefusedAnswer {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** Runs `tickrate` against an HTTP server with the given answers, and records the requests of the command. */
export async function runAgainst(
  answer: (asked: Asked) => unknown,
  args: readonly string[],
  options: { readonly nowMs?: number } = {},
): Promise<CommandOutcome & { readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const hasBody = request.headers['content-length'] !== undefined;
    const sent = { method, path, ...(hasBody && { body: await json(request) }) };
    asked.push(sent);
    const given = answer(sent);
    if (given instanceof RefusedAnswer) response.writeHead(given.status);
    response.end(JSON.stringify(given instanceof RefusedAnswer ? given.body : given));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`;
  try {
    const environment = { TICKRATE_URL: url, TICKRATE_GATEWAY_URL: url, TICKRATE_KEY: 'tk_adm_test' };
    return { ...(await runCommand(args, environment, options)), asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
