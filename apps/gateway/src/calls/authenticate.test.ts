import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import { expect, test } from 'vitest';
import { authenticate } from './authenticate.ts';

/** The error for a key that no project uses. */
async function refusal(endedSession: () => string | null | Promise<string | null>): Promise<unknown> {
  const registry = { principal: () => null, lateSender: () => null, endedSession };
  const request = { url: '/v1/insert', headers: { 'x-api-key': 'tk_ses_1' } } as unknown as IncomingMessage;
  try {
    return await authenticate({ registry, random: () => 0 }, { request } as unknown as RequestContext);
  } catch (error) {
    return error;
  }
}

test('the key of an ended session has a code of its own, and an unknown key has not', async () => {
  const ended = { reason: 'sessionExpired', data: { invalidSessionId: 'us-1' } };
  expect(await refusal(() => 'us-1')).toMatchObject(ended);
  expect(await refusal(async () => 'us-1')).toMatchObject(ended);
  expect(await refusal(() => null)).toMatchObject({ reason: 'apiKeyInvalid' });
});

test('a key that is not cached returns 6001 while the registry is away', async () => {
  const away = await refusal(() => Promise.reject(new PostgresUnavailable('away')));
  expect(away).toMatchObject({ reason: 'temporarilyUnavailable' });
});
