import { backoffMs } from '../core/answer.ts';
import { Client } from '../core/client.ts';
import { parseJson } from '../core/json.ts';
import {
  beginning,
  give,
  type Prompt,
  receive,
  type SignInError,
  type SignInInput,
  type SignInRequest,
  type SignInState,
} from './reducer.ts';

/** One step of a sign-in: a prompt for the player, or the end. */
export type SignIn =
  | {
      readonly prompt: Prompt;
      readonly options: Readonly<Record<string, unknown>>;
      /** Why the last answer was not accepted. */
      readonly error: SignInError | null;
      readonly answer: (input: SignInInput) => Promise<SignIn>;
    }
  | {
      readonly prompt: null;
      readonly accountId: string;
      readonly error: null;
      /** Show them once: they are the way in without the second factor. */
      readonly recoveryCodes: readonly string[] | null;
    }
  | {
      readonly prompt: null;
      readonly accountId: null;
      readonly error: SignInError;
      readonly retryAfterSeconds: number;
    };

const mostAttempts = 6;
const mostWaitMs = 15_000;

/** A client that also signs players in. */
export class Tickrate extends Client {
  /**
   * Signs a player in. Returns a prompt until the sign-in is complete or has failed. From then on, events belong to the
   * player's account.
   */
  async signIn(input: SignInInput, { linkDevice = false } = {}): Promise<SignIn> {
    const { device } = this.core.deviceState.saved;
    const given = linkDevice && device && !input.device ? { ...input, device } : input;
    return this.#give(beginning, given);
  }

  /** From now on, events belong to the device's own account. */
  signOut(): void {
    this.usePlayer(null);
  }

  async #exchange(from: SignInState, first: SignInRequest): Promise<SignIn> {
    const { randomHex, random } = this.core.platform;
    let state = from;
    let request = first;
    let requestKey = randomHex(16);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { method, path, body } = request;
      const { signal } = new AbortController();
      const answer = await this.core.connection.askSessions(path, { method, body, requestKey, signal });
      const { outcome, ...next } = receive(state, answer.status, parseJson(answer.text));
      const asked = next.state;
      state = asked;
      switch (outcome.kind) {
        case 'request':
          request = outcome.request;
          requestKey = randomHex(16);
          break;
        case 'retry': {
          const waitMs = outcome.retryAfterSeconds * 1000 + backoffMs(attempt, random());
          await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, mostWaitMs)));
          break;
        }
        case 'prompt': {
          const { prompt, options, error } = outcome;
          return { prompt, options, error, answer: (input) => this.#give(asked, input) };
        }
        case 'session': {
          const { session, recoveryCodes } = outcome;
          this.usePlayer(session);
          return { prompt: null, accountId: session.accountId, error: null, recoveryCodes };
        }
        case 'failed':
          return ended(outcome.retryAfterSeconds, outcome.error);
      }
    }
    return ended(1);
  }

  #give(asked: SignInState, input: SignInInput): Promise<SignIn> {
    const { state, request } = give(asked, input);
    return this.#exchange(state, request);
  }
}

function ended(
  retryAfterSeconds: number,
  error: SignInError = { code: 0, message: 'the server cannot be reached', fields: null },
): SignIn {
  return { prompt: null, accountId: null, error, retryAfterSeconds };
}
