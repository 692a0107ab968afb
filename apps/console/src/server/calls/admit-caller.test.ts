import type { IncomingMessage } from 'node:http';
import { defineOperation, SystemError } from '@tickrate/contract';
import type { RequestContext } from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { createAdmitCaller } from './admit-caller.ts';

const session: Principal = {
  keyId: 'us-1',
  keyLine: null,
  kind: 'session',
  projectId: 'p-1',
  origins: null,
  expiresMs: null,
  lateEventsUntilMs: null,
  sessionId: 'us-1',
  accountId: 'u-1',
  scopes: [],
};

function operation(scope: string) {
  return defineOperation({
    id: 'x',
    method: 'GET',
    path: '/v1/x',
    tag: 'X',
    summary: 'x',
    keys: ['session'],
    examples: [],
    answer: Type.Boolean(),
    scope,
  });
}

const policies = new Map([['roles', { roles: { tester: { scopes: ['quarantine:write'] } } }]]);

/** The reason of the error, or the id of the admitted account. */
async function admit(role: string | null, scope: string): Promise<string | null> {
  const principal = { ...session, scopes: role === null ? [] : [`role:${role}`] };
  const admitCaller = createAdmitCaller({
    cache: { principal: () => principal, endedSession: () => null },
    registry: { policies: async () => policies },
    checkRates: () => undefined,
    keyOf: () => null,
  });
  const request = { headers: { 'x-api-key': 'tk_ses_1' } } as unknown as IncomingMessage;
  const context = { request, keyPrefix: null, projectId: null } as unknown as RequestContext;
  try {
    return (await admitCaller(context, operation(scope))).accountId;
  } catch (error) {
    if (error instanceof SystemError) return error.reason;
    throw error;
  }
}

describe('an administrator', () => {
  test.each([
    ['owner', 'policies:write', 'u-1'],
    ['admin', 'keys:write', 'u-1'],
    ['admin', 'personal:read', 'u-1'],
    ['analyst', 'queries:write', 'u-1'],
    ['analyst', 'keys:read', 'apiKeyScopeMissing'],
    ['viewer', 'eventTypes:read', 'u-1'],
    ['viewer', 'eventTypes:write', 'apiKeyScopeMissing'],
    ['viewer', 'personal:read', 'apiKeyScopeMissing'],
    ['tester', 'quarantine:write', 'u-1'],
    ['tester', 'eventTypes:read', 'apiKeyScopeMissing'],
    ['nobody-knows', 'eventTypes:read', 'apiKeyScopeMissing'],
  ])('with the role %s and the required scope %s: %s', async (role, scope, outcome) => {
    expect(await admit(role, scope)).toBe(outcome);
  });

  test("needs a session with an administrator role, not a player's session", async () => {
    expect(await admit(null, 'eventTypes:read')).toBe('apiKeyKindNotPermitted');
  });
});
