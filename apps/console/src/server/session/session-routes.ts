import { openLinkSession, scopesInProject } from '@tickrate/accounts';
import {
  type AuthenticationResponse,
  grantableScopes,
  isPermitted,
  type Operation,
  roleIn,
  type SessionRecord,
  systemError,
} from '@tickrate/contract';
import {
  answered,
  answerJson,
  type OperationRoute,
  type OperationsOptions,
  operationRoute,
  type RequestContext,
  sleep,
} from '@tickrate/platform';
import type { Registry, RegistryCache } from '@tickrate/registry';
import type { ConsoleParts } from '../../parts.ts';
import { translateOutage } from '../calls/translate-outage.ts';
import type { AskAuth, AuthAnswer, AuthAsk } from './ask-auth.ts';
import { isOfOwnPage, type SessionCookie } from './session-cookie.ts';
import { sessionOperations as operations } from './session-operations.ts';

/** The key of the visitor's session; null for a visitor who is not signed in. */
interface Visitor {
  readonly key: string | null;
}

const administrator = 'builtin:admin';

/** The calls of the console's own pages. Every other origin is refused with 2005. */
export function createSessionRoutes(parts: ConsoleParts): OperationsOptions<Visitor> {
  const { cookie, checkRates } = parts;
  return {
    routes: [...signInRoutes(parts), linkRoute(parts), ...sessionRoutes(parts), ...accountRoutes(parts)],
    async admit(context) {
      checkRates(context, null);
      if (!isOfOwnPage(context.request)) {
        throw systemError('notPermitted', {}, { fields: "only the console's own pages can call this" });
      }
      return { key: cookie.read(context) };
    },
  };
}

/** With the key of the console: nobody is signed in yet. */
function signInRoutes({ askAuth, registry, cookie }: ConsoleParts): OperationRoute<Visitor>[] {
  const ask = createAskWithConsoleKey(askAuth, registry);
  return [
    pageRoute(operations.signIn, async ({ context, body }) => {
      const sent = { ...body, requestedRole: administrator };
      const answer = await ask({ context, method: 'PUT', path: '/authenticate', body: sent });
      return showSignIn(context, answer, cookie);
    }),
    ...[operations.readSignInProvider, operations.visitSignInProvider, operations.redeemProviderCode].map(
      (operation) =>
        forward(operation, ({ context, body }) =>
          ask({ context, method: operation.method, path: '/authenticate/provider', body }),
        ),
    ),
    forward(operations.verifyOwnEmail, ({ context, body }) =>
      ask({ context, method: 'POST', path: '/account/email/verify', body }),
    ),
    forward(operations.requestOwnReset, ({ context, body }) => {
      const sent = { ...Object(body), requestedRole: administrator };
      return ask({ context, method: 'POST', path: '/password/reset', body: sent });
    }),
    forward(operations.resetOwnPassword, ({ context, body }) =>
      ask({ context, method: 'PUT', path: '/password/reset', body }),
    ),
  ];
}

function linkRoute(parts: ConsoleParts): OperationRoute<Visitor> {
  const { accounts, askAuth, cookie } = parts;
  return pageRoute(operations.openSignInLink, async ({ context, body: { token } }) => {
    const { requestId, clientAddress } = context;
    const link = { token, requestId, clientAddress };
    const key = await translateOutage(() => openLinkSession(accounts, parts, link));
    const answer = await askAuth({ context, method: 'GET', path: '/session', key });
    if (!isSuccess(answer)) return pass(context, answer);
    const session = answer.body as SessionRecord;
    cookie.set(context, session);
    return withoutKeys(session);
  });
}

function sessionRoutes(parts: ConsoleParts): OperationRoute<Visitor>[] {
  const { askAuth, cookie, cache, preparer } = parts;
  return [
    pageRoute(operations.readPageSession, async ({ context, caller }) => {
      const key = keyOf(caller);
      const answer = await askAuth({ context, method: 'GET', path: '/session', key });
      if (!isSuccess(answer)) return pass(context, answer);
      const session = withoutKeys(answer.body as SessionRecord);
      preparer.prepare(session.projectId);
      return { ...session, permissions: await translateOutage(() => permissionsOf(parts, key)) };
    }),
    pageRoute(operations.renewPageSession, async ({ context, caller }) => {
      const answer = await askAuth({ context, method: 'POST', path: '/session', key: keyOf(caller) });
      return isSuccess(answer) ? withoutKeys(answer.body as SessionRecord) : pass(context, answer);
    }),
    pageRoute(operations.signOut, async ({ context, caller }) => {
      // The cookie goes in any case; auth refuses a session that has ended already.
      cookie.clear(context.response);
      if (caller.key !== null) {
        const answer = await askAuth({ context, method: 'DELETE', path: '/session', key: caller.key });
        if (!isSuccess(answer) && answer.status !== 401) return pass(context, answer);
      }
      return true;
    }),
    pageRoute(operations.openProject, async ({ context, caller, body }) => {
      const key = keyOf(caller);
      const answer = await askAuth({ context, method: 'PUT', path: '/authenticate/switch', key, body });
      if (isSuccess(answer)) await untilInProject(cache, key, body.projectId);
      return showSignIn(context, answer, cookie);
    }),
    pageRoute(operations.readAddresses, async ({ caller }) => {
      keyOf(caller);
      return { gateway: parts.addresses.gateway?.replace(/\/$/, '') ?? null };
    }),
    pageRoute(operations.readMailDelivery, async () => ({
      staysInOutbox: parts.openMail !== null,
    })),
    own(askAuth, operations.listOwnSessions, '/sessions'),
    pageRoute(operations.endOwnSession, async ({ context, caller, params }) => {
      const path = `/sessions/${encodeURIComponent(params.id)}`;
      const answer = await askAuth({ context, method: 'DELETE', path, key: keyOf(caller) });
      return isSuccess(answer) ? true : pass(context, answer);
    }),
    own(askAuth, operations.endOtherPageSessions, '/sessions'),
  ];
}

function accountRoutes({ askAuth }: ConsoleParts): OperationRoute<Visitor>[] {
  return [
    own(askAuth, operations.readOwnAccount, '/account'),
    own(askAuth, operations.editOwnAccount, '/account'),
    own(askAuth, operations.changeOwnPassword, '/account/password'),
    own(askAuth, operations.changeOwnEmail, '/account/email'),
    own(askAuth, operations.beginOwnTwoFactor, '/account/twofactor'),
    own(askAuth, operations.confirmOwnTwoFactor, '/account/twofactor'),
    own(askAuth, operations.removeOwnTwoFactor, '/account/twofactor'),
  ];
}

/** As the management API decides: the role of the session's key, in its project. */
async function permissionsOf({ cache, registry }: ConsoleParts, key: string): Promise<string[]> {
  const principal = await cache.principal(key);
  const role = principal && roleIn(principal.scopes);
  if (principal === null || role === null) return [];
  const scopes = (await scopesInProject(registry, principal.projectId, role)) ?? [];
  return grantableScopes.filter((scope) => isPermitted(scopes, scope));
}

function pageRoute<const O extends Operation>(
  operation: O,
  handle: Parameters<typeof operationRoute<Visitor, O>>[1],
): OperationRoute<Visitor> {
  return operationRoute<Visitor, O>(operation, handle);
}

/** The same method at auth, for the account of the session. */
function own(askAuth: AskAuth, operation: Operation, path: string): OperationRoute<Visitor> {
  return forward(operation, ({ context, caller, body }) =>
    askAuth({ context, method: operation.method, path, key: keyOf(caller), body }),
  );
}

function forward(
  operation: Operation,
  ask: (call: {
    readonly context: RequestContext;
    readonly caller: Visitor;
    readonly body: unknown;
  }) => Promise<AuthAnswer>,
): OperationRoute<Visitor> {
  return pageRoute<Operation>(operation, async (call) => {
    const answer = await ask(call);
    return isSuccess(answer) ? answer.body : pass(call.context, answer);
  });
}

type KeylessAsk = (ask: Omit<AuthAsk, 'key'>) => Promise<AuthAnswer>;

/** Reads the console's key once, and again when auth refuses it: an administrator can revoke it. */
function createAskWithConsoleKey(askAuth: AskAuth, registry: Registry): KeylessAsk {
  let kept: string | null = null;
  async function findKey(): Promise<string> {
    kept ??= await translateOutage(() => registry.consoleKey());
    if (kept !== null) return kept;
    const fields = 'this installation has no project yet: run `tickrate first-project NAME`';
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 5 }, { fields });
  }
  return async (ask) => {
    const answer = await askAuth({ ...ask, key: await findKey() });
    if (codeOf(answer) !== apiKeyInvalidCode) return answer;
    kept = null;
    return askAuth({ ...ask, key: await findKey() });
  };
}

const apiKeyInvalidCode = 2002;

function codeOf({ body }: AuthAnswer): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
}

function keyOf({ key }: Visitor): string {
  if (key === null) throw systemError('apiKeyMissing', {}, { fields: 'sign in first' });
  return key;
}

function isSuccess({ status }: AuthAnswer): boolean {
  return status === 200;
}

function pass(
  { response }: RequestContext,
  { status, contentType, headers, body }: AuthAnswer,
): typeof answered {
  for (const [name, value] of headers) response.setHeader(name, value);
  answerJson(response, body, { status, contentType });
  return answered;
}

/** Keeps the session's key in the cookie, and everything else for the page. */
function showSignIn(context: RequestContext, answer: AuthAnswer, cookie: SessionCookie) {
  if (!isSuccess(answer)) return pass(context, answer);
  const result = answer.body as AuthenticationResponse;
  const session = result.authenticatedSession;
  if (session !== null) cookie.set(context, session);
  return { ...result, authenticatedSession: session && withoutKeys(session) };
}

function withoutKeys({ apiKey: _key, secretKey: _secret, ...session }: SessionRecord) {
  return session;
}

const followsWithinMs = 2_000;
const pollMs = 20;
const never = new AbortController().signal;

/** This process learns of the switch from the registry's changes, within a second. */
async function untilInProject(
  cache: Pick<RegistryCache, 'principal'>,
  key: string,
  projectId: string,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < followsWithinMs; waitedMs += pollMs) {
    const principal = await translateOutage(() => cache.principal(key));
    if (principal?.projectId === projectId) return;
    await sleep(pollMs, never);
  }
}
