import type { ManagementOperation } from '@tickrate/console';
import type {
  CallAnswer,
  CallArguments,
  CallBody,
  CallRow,
  OperationName,
  SystemErrorBody,
} from '@tickrate/contract';
import { CommandFault, commandCodes, hintOf, refused, wrongUse } from '../command-line/command.ts';
import type { ApiPlace } from './find-api.ts';

/** The HTTP APIs of an installation, called with one key. */
export interface Api {
  /** Calls the management API. Resolves with the answer; throws a CommandFault with the reason of a refusal. */
  call<N extends CallName>(name: N, ...input: InputOf<N>): Promise<AnswerOf<N>>;
  /** Like `call`, for an answer that is not JSON: its bytes as they arrive. */
  stream<N extends CallName>(name: N, ...input: InputOf<N>): Promise<AsyncIterable<Uint8Array>>;
  /** Calls the gateway or auth. Resolves with the JSON of the answer. */
  send(request: SendRequest): Promise<unknown>;
}

/** `POST /v1/keys`: a method and a path, as the operations describe them. */
export type CallName = OperationName<ManagementOperation>;
export type AnswerOf<N extends CallName> = CallAnswer<ManagementOperation, N>;
export type BodyOf<N extends CallName> = CallBody<ManagementOperation, N>;
export type RowOf<N extends CallName> = CallRow<ManagementOperation, N>;
type InputOf<N extends CallName> = CallArguments<ManagementOperation, N, object>;

interface SendRequest {
  /** The default is PUT. */
  readonly method?: string;
  readonly to: 'gateway' | 'auth';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A text is sent unchanged. */
  readonly body?: unknown;
  /** Replaces the key of the installation. */
  readonly key?: string | null;
}

const optionOf = {
  console: '--url URL or TICKRATE_URL',
  gateway: '--gateway URL or TICKRATE_GATEWAY_URL',
  auth: '--auth URL or TICKRATE_AUTH_URL',
} as const;

/** A call that `interrupted` ends rejects with its reason. */
export function createApi(place: ApiPlace, interrupted: AbortSignal): Api {
  async function request(to: keyof typeof optionOf, sent: HttpRequest): Promise<Response> {
    const base = place[to];
    if (base === null) throw wrongUse(`The ${to} has no address: give ${optionOf[to]}, or run \`npm start\``);
    const key = sent.key ?? place.key;
    if (key === null)
      throw wrongUse('There is no key: set TICKRATE_KEY, or run `npm run tickrate -- sign-in`');
    const answer = await reach(base, { ...sent, key, signal: interrupted });
    if (!answer.ok) {
      const refusal = refusalOf(answer.status, await answer.text());
      throw endedSession(refusal, sent.key === undefined ? place.sessionFile : null) ?? refusal;
    }
    return answer;
  }
  return {
    async call<N extends CallName>(name: N, ...[input]: InputOf<N>) {
      const answer = await request('console', managementRequest(name, input));
      // The tests of the servers check every answer against the operation from which this type is derived.
      return (await readJson(answer)) as AnswerOf<N>;
    },
    async stream(name, ...[input]) {
      const { body } = await request('console', managementRequest(name, input));
      return body ?? new Blob([]).stream();
    },
    async send({ to, ...sent }) {
      const answer = await request(to, { method: 'PUT', ...sent });
      return await readJson(answer);
    },
  };
}

interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly key?: string | null;
}

interface ManagementInput extends Pick<HttpRequest, 'query' | 'body'> {
  readonly params?: Readonly<Record<string, unknown>>;
}

function managementRequest(name: string, { params = {}, ...sent }: ManagementInput = {}): HttpRequest {
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
    encodeURIComponent(String(params[param])),
  );
  return { ...sent, method, path };
}

async function reach(
  base: string,
  { method, path, query = {}, body, key, signal }: HttpRequest & { key: string; signal: AbortSignal },
): Promise<Response> {
  const url = new URL(base.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  try {
    return await fetch(url, {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new CommandFault(unreachable(url, Object(Object(error).cause).code), {
      code: commandCodes.unavailable,
      cause: error,
    });
  }
}

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = `${new URL(answer.url).origin} does not answer as Tickrate does: check the address`;
    throw new CommandFault(fault, { code: commandCodes.unavailable, cause });
  }
}

function unreachable({ origin, hostname }: URL, reason: unknown): string {
  if (/CERT|SELF_SIGNED|VERIFY/.test(String(reason)))
    return `${origin} has a certificate that is not valid for this name or not trusted (${reason}): for an authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file`;
  const advice =
    hostname === '127.0.0.1'
      ? 'Is `npm start` running?'
      : 'Check the address, and that this host can reach it';
  return `${origin} does not answer. ${advice}`;
}

/** Whatever ended the session, the next step is the same. */
function endedSession({ error }: Refusal, file: string | null): CommandFault | null {
  if (file === null || (error?.code !== 2002 && error?.code !== 2004)) return null;
  return refused(
    `The session in ${file} has ended: sign in again with \`npm run tickrate -- sign-in --email ADDRESS\`, or forget it with \`npm run tickrate -- sign-out\``,
  );
}

/** The server answered with an error. */
export class Refusal extends CommandFault {
  /** Of the catalogue, or null if the answer is from something else. */
  readonly error: ErrorBody | null;

  constructor(
    message: string,
    { status, error }: { readonly status: number; readonly error: ErrorBody | null },
  ) {
    super(message, { code: status === 503 ? commandCodes.unavailable : commandCodes.refused });
    this.error = error;
  }
}

function refusalOf(status: number, text: string): Refusal {
  const error = errorBodyOf(text);
  if (error === null) return new Refusal(`The server answered ${status}`, { status, error });
  const { parameterName } = error.data;
  const detail = error.fields ?? (typeof parameterName === 'string' ? parameterName : null);
  const faults = Array.isArray(error.data['queryFailureErrors']) ? error.data['queryFailureErrors'] : [];
  const lines = faults.map(({ location, message }) => `\n  ${location}  ${message}`);
  const message = `${error.code} ${error.message}${detail === null ? '' : ` (${detail})`}${lines.join('')}${hintOf(error.data)}`;
  return new Refusal(message, { status, error });
}

type ErrorBody = SystemErrorBody & { readonly data: Readonly<Record<string, unknown>> };

function errorBodyOf(text: string): ErrorBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value && 'data' in value
      ? (value as ErrorBody)
      : null;
  } catch {
    return null;
  }
}
