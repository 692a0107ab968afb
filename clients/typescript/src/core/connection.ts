import { codeOf, isFinal, type RawAnswer } from './answer.ts';
import type { Core } from './core.ts';
import type { WithState } from './device-state.ts';
import { parseObject } from './json.ts';
import { request } from './request.ts';

const timeoutMs = 10_000;

interface Sent {
  readonly body: unknown;
  readonly method?: string;
  readonly apiKey?: string;
  readonly requestKey?: string;
  readonly signal?: AbortSignal;
}

export interface Connected extends WithState {
  readonly connection: Connection;
}

/** The addresses of the server, and the end of every request to it. */
export class Connection {
  private readonly core: Core;
  /** Of the gateway. */
  eventsUrl: string;
  sessionsAddress: string;
  /** Null while nobody answered what the addresses are. */
  #finding: Promise<void> | null = null;
  #abort = new AbortController();

  constructor(core: Core) {
    const { url, sessionsUrl = url } = core.options;
    this.core = core;
    this.eventsUrl = trimmed(url);
    this.sessionsAddress = trimmed(sessionsUrl);
  }

  /** Aborts with the requests of now. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Ends every request. With `isLast`, later ones end at once too. */
  abort(isLast = false): void {
    this.#abort.abort();
    if (!isLast) this.#abort = new AbortController();
  }

  /** Takes over the addresses that the server reports. Asks again at the next call while the server gave no answer. */
  findAddresses(): Promise<void> {
    this.#finding ??= this.#find().then((isAnswered) => {
      if (!isAnswered) this.#finding = null;
    });
    return this.#finding;
  }

  /** Sends a request to auth. Nobody answers it while auth's address is not known. */
  async askSessions(
    path: string,
    { body, method = 'PUT', apiKey, requestKey, signal = this.signal }: Sent,
  ): Promise<RawAnswer> {
    const { options, platform } = this.core;
    await this.findAddresses();
    if (!this.#finding && !options.sessionsUrl) return { status: 0, text: '', retryAfter: null };
    const answer = await request(
      platform,
      {
        url: `${this.sessionsAddress}/2018-03-24/${path}`,
        method,
        headers: {
          'X-API-Key': apiKey ?? options.key,
          'Content-Type': 'application/json',
          ...(requestKey && { 'Idempotency-Key': requestKey }),
        },
        body: JSON.stringify(body),
      },
      signal,
    );
    // Not the address of sessions: the next attempt asks for it.
    if (answer.status === 404) this.#finding = null;
    return answer;
  }

  /** False if nobody was there to say which addresses there are. */
  async #find(): Promise<boolean> {
    const { signal } = this;
    const { platform, options, report } = this.core;
    const url = `${trimmed(options.url)}/.well-known/tickrate`;
    const answer = await request(platform, { url, timeoutMs }, signal);
    if (!signal.aborted) report('address', { answer, url: options.url });
    const body = parseObject(answer.text);
    const { events, sessions, protocol } = body;
    if (typeof protocol !== 'number') return isFinal(answer.status) && codeOf(body) > 0;
    if (isAddress(events)) this.eventsUrl = trimmed(events);
    if (isAddress(sessions) && !options.sessionsUrl) this.sessionsAddress = trimmed(sessions);
    return true;
  }
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value);
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
