import { backoffMs } from '../core/answer.ts';
import { Client } from '../core/client.ts';
import { authenticate } from '../core/sessions.ts';
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

/** A client that also signs players in. */
export class Tickrate extends Client {
  /**
   * Signs a player in. Returns a prompt until the sign-in is complete or has failed. From then on, events belong to the
   * player's account.
   */
  async signIn(input: SignInInput, { linkDevice = false } = {}): Promise<SignIn> {
    const { device } = this;
    const given = linkDevice && device && !input.device ? { ...input, device } : input;
    const { state, outcome } = give(beginning, given);
    return outcome.kind === 'request' ? this.#exchange(state, outcome.request) : ended(0);
  }

  /** From now on, events belong to the device's own account. */
  signOut(): void {
    this.usePlayer(null);
  }

  async #exchange(from: SignInState, first: SignInRequest): Promise<SignIn> {
    const { platform, options } = this.parts;
    const address = { url: this.addresses.sessions, key: options.key };
    let state = from;
    let request = first;
    let requestKey = platform.randomHex(16);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const answer = await authenticate(platform, address, {
        ...request,
        requestKey,
        signal: new AbortController().signal,
      });
      const step = receive(state, answer.status, readJson(answer.text));
      state = step.state;
      const { outcome } = step;
      switch (outcome.kind) {
        case 'request':
          request = outcome.request;
          requestKey = platform.randomHex(16);
          break;
        case 'retry': {
          const waitMs = outcome.retryAfterSeconds * 1000 + backoffMs(attempt, platform.random());
          await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 15_000)));
          break;
        }
        case 'prompt': {
          const { prompt, options: shown, error } = outcome;
          const asked = state;
          return { prompt, options: shown, error, answer: (input) => this.#answer(asked, input) };
        }
        case 'session': {
          this.usePlayer(outcome.session);
          const { session, recoveryCodes } = outcome;
          return { prompt: null, accountId: session.accountId, error: null, recoveryCodes };
        }
        case 'failed':
          return {
            prompt: null,
            accountId: null,
            error: outcome.error,
            retryAfterSeconds: outcome.retryAfterSeconds,
          };
      }
    }
    return ended(1);
  }

  #answer(asked: SignInState, input: SignInInput): Promise<SignIn> {
    const { state, outcome } = give(asked, input);
    return outcome.kind === 'request' ? this.#exchange(state, outcome.request) : Promise.resolve(ended(0));
  }
}

function ended(retryAfterSeconds: number): SignIn {
  const error = { code: 0, message: 'the server cannot be reached', fields: null };
  return { prompt: null, accountId: null, error, retryAfterSeconds };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
