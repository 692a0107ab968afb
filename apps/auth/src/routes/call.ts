import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionRow } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { answerJson, contextOf, type RequestContext } from '@tickrate/platform';
import { isRecent } from '../sign-in/recent-sign-in.ts';
import type { Caller, IdentifyCaller } from './identify-caller.ts';

/** A call with a session's key. Everything that it may touch is the session's account, in the session's realm. */
export interface SessionCall {
  readonly context: RequestContext;
  readonly request: IncomingMessage;
  readonly session: SessionRow;
  readonly apiKey: string;
}

export interface AnyCall {
  readonly context: RequestContext;
  readonly request: IncomingMessage;
  readonly caller: Caller;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The two kinds of calls: with a session's key only, or also with a public one. What they resolve to is answered. */
export function createCalls(identify: IdentifyCaller) {
  return {
    withSession:
      (work: (call: SessionCall) => Promise<unknown>): Handler =>
      async (request, response) => {
        const context = contextOf(request);
        const { live, apiKey } = await identify(context, 'session');
        if (live === null) throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'session' });
        answerJson(response, await work({ context, request, session: live, apiKey }));
      },
    /** The work answers by itself, and rejects only before it has begun to. */
    withSessionAndResponse:
      (work: (call: SessionCall, response: ServerResponse) => Promise<void>): Handler =>
      async (request, response) => {
        const context = contextOf(request);
        const { live, apiKey } = await identify(context, 'session');
        if (live === null) throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'session' });
        await work({ context, request, session: live, apiKey }, response);
      },
    withAnyKey:
      (work: (call: AnyCall) => Promise<unknown>): Handler =>
      async (request, response) => {
        const context = contextOf(request);
        const caller = await identify(context);
        answerJson(response, await work({ context, request, caller }));
      },
  };
}

export type Calls = ReturnType<typeof createCalls>;

/** What changes the ways into an account wants credentials that were proven a short while ago. Throws 2005. */
export function requireRecentSignIn(session: SessionRow, nowMs: number): void {
  if (isRecent(session, nowMs)) return;
  throw systemError(
    'notPermitted',
    {},
    { fields: 'sign in again first: this needs a sign-in within 15 minutes' },
  );
}
