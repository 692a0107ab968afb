import type { SystemErrorBody } from '@tickrate/contract';
import { CommandFault, commandCodes } from '../command.ts';

/** The HTTP APIs of an installation, as somebody with a key. */
export interface Api {
  /** The JSON of an answer. Throws a CommandFault that says what the server said. */
  call<T>(request: ApiRequest): Promise<T>;
  /** The answer's body as it comes. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
}

export interface ApiRequest {
  readonly at: 'console' | 'gateway' | 'auth';
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** A text is sent as it is. */
  readonly body?: unknown;
  /** Instead of the key of the place. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

export interface ApiAddresses {
  readonly console: string | null;
  readonly gateway: string | null;
  readonly auth: string | null;
  readonly key: string | null;
}

const optionOf = {
  console: '--url URL or TICKRATE_URL',
  gateway: '--gateway URL or TICKRATE_GATEWAY_URL',
  auth: '--auth URL or TICKRATE_AUTH_URL',
} as const;

export function createApi(addresses: ApiAddresses, signal: AbortSignal): Api {
  async function send(request: ApiRequest): Promise<Response> {
    const base = addresses[request.at];
    if (base === null)
      throw missing(`Say where it is with ${optionOf[request.at]}, or run \`npm start\` first`);
    const key = request.key ?? addresses.key;
    if (key === null) throw missing('There is no key: set TICKRATE_KEY, or `npm run tickrate -- sign-in`');
    const answer = await reach(base, key, { signal, ...request });
    if (!answer.ok) throw refusalOf(answer.status, await answer.text());
    return answer;
  }
  return {
    async call<T>(request: ApiRequest): Promise<T> {
      const answer = await send(request);
      const body: T = JSON.parse(await answer.text());
      return body;
    },
    async stream(request) {
      const { body } = await send(request);
      return body ?? new Blob([]).stream();
    },
  };
}

async function reach(base: string, key: string, request: ApiRequest): Promise<Response> {
  const { method = 'GET', path, query = {}, body, signal } = request;
  const url = new URL(base.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  try {
    return await fetch(url, {
      method,
      headers: {
        'X-API-Key': key,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new CommandFault(`${url.origin} does not answer. Is \`npm start\` running?`, {
      code: commandCodes.unavailable,
      cause: error,
    });
  }
}

function missing(message: string): CommandFault {
  return new CommandFault(message, { code: commandCodes.wrongUse });
}

function refusalOf(status: number, text: string): CommandFault {
  const error = bodyOf(text);
  if (error === null) return refused(status, `the server answered ${status}`);
  const { parameterName } = error.data;
  const why = error.fields ?? (typeof parameterName === 'string' ? parameterName : null);
  const faults = Array.isArray(error.data['queryFailureErrors']) ? error.data['queryFailureErrors'] : [];
  const lines = faults.map(({ location, message }) => `\n  ${location}  ${message}`);
  return refused(status, `${error.code} ${error.message}${why === null ? '' : ` (${why})`}${lines.join('')}`);
}

function refused(status: number, message: string): CommandFault {
  return new CommandFault(message, {
    code: status === 503 ? commandCodes.unavailable : commandCodes.refused,
  });
}

type ToldError = SystemErrorBody & { readonly data: Readonly<Record<string, unknown>> };

function bodyOf(text: string): ToldError | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value && 'data' in value
      ? (value as ToldError)
      : null;
  } catch {
    return null;
  }
}
