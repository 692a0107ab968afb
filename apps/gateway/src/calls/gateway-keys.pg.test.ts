import { randomBytes } from 'node:crypto';
import { createApiKeyText } from '@tickrate/contract';
import { createRegistry } from '@tickrate/registry';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { type Call, createSender, startWorld } from '../testing/gateway-world.ts';

const { world, url } = await startWorld();
const insert = 'insert?eventType=level';
const event = { level: 3, name: 'Ada' };
const gateway = await world.gateway();
const { send, refusal } = createSender(gateway);

describe('a key', () => {
  test('is read from each place where clients put it', async () => {
    const { projectId, key } = await world.project();
    const { text } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: 'CI',
      createdBy: 'test',
    });
    const calls: Call[] = [
      { path: insert, key: text },
      { path: insert, headers: { Authorization: `Bearer ${key}` } },
      { path: insert, headers: { api_key: key } },
      {
        method: 'POST',
        path: `${insert}&apiKey=${key}`,
        headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
      },
    ];
    for (const call of calls) expect((await send({ ...call, body: event })).body).toBe(true);
    expect(await refusal({ path: `${insert}&apiKey=${key}`, body: event })).toMatchObject({ code: 2001 });
    const kinds = (await world.rows(projectId, 4)).map(({ keyKind }) => keyKind);
    expect(kinds.toSorted()).toEqual(['administrative', 'public', 'public', 'public']);
  });

  test('that is missing is 2001; an unknown, malformed or expired one is 2002', async () => {
    const { projectId, key } = await world.project();
    const yesterday = createRegistry({ postgresUrl: url, now: () => Date.now() - 24 * 3_600_000 });
    const expired = await yesterday.createKey({
      projectId,
      kind: 'public',
      comment: 'short',
      createdBy: 'test',
      expiresMs: Date.now() - 1,
    });
    await yesterday.close();
    const typo = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    expect(await refusal({ path: insert, body: event })).toMatchObject({ code: 2001 });
    const unknown = [createApiKeyText('public', randomBytes), createApiKeyText('session', randomBytes)];
    for (const bad of [...unknown, 'nonsense', typo, key.toUpperCase(), expired.text]) {
      const answer = await send({ path: insert, key: bad, body: event });
      expect([answer.status, answer.body.code, answer.body.fields]).toEqual([401, 2002, null]);
    }
  });

  test('and a declaration take effect without a restart, and end', async () => {
    const { projectId, key } = await world.project();
    const late = { path: 'insert?eventType=late', key, body: {} };
    expect(await refusal(late)).toMatchObject({ code: 8001, invalidIdentifier: 'late' });
    await world.registry.declareEventType({ projectId, name: 'late', declaration: { type: 'object' } });
    await waitUntil(async () => (await send(late)).status === 200);
    const [record] = await world.registry.keys(projectId);
    await world.registry.revokeKey({ keyId: record?.id ?? '' });
    await waitUntil(async () => (await send(late)).body.code === 2002);
  });

  test('does not see the types of another project', async () => {
    const [one, other] = [await world.project(), await world.project()];
    await world.registry.declareEventType({ ...one, name: 'secret', declaration: { type: 'object' } });
    const unknown = await refusal({ path: 'insert?eventType=secret', key: other.key, body: {} });
    expect(unknown).toMatchObject({ code: 8001, invalidIdentifier: 'secret' });
  });

  test('with a list of origins is refused to other web pages: 2007', async () => {
    const { projectId } = await world.project();
    const origins = ['https://kart.example'];
    const asked = { projectId, kind: 'public', comment: 'web', createdBy: 'test', origins } as const;
    const { text: key } = await world.registry.createKey(asked);
    const from = (Origin: string) => send({ path: insert, key, body: event, headers: { Origin } });
    const allowed = await from('https://kart.example');
    expect([allowed.body, allowed.headers['access-control-allow-origin']]).toEqual([true, '*']);
    for (const origin of ['https://evil.example', 'http://kart.example', 'null'])
      expect((await from(origin)).body).toMatchObject({
        ...{ code: 2007, fields: expect.stringContaining(`'${origin}' is not a web origin of this key`) },
      });
    expect((await send({ path: insert, key, body: event })).body).toBe(true);
  });

  test('that sends too often receives 6002 with a delay', async () => {
    const { key } = await world.project();
    const slow = await world.gateway({ RATE_PER_KEY: '1' });
    const sending = Array.from({ length: 3 }, () => slow.send({ path: insert, key, body: event }));
    const answers = (await Promise.all(sending)).toSorted((a, b) => a.status - b.status);
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    const { body, headers } = answers[2] ?? {};
    expect([body.code, headers?.['retry-after']]).toEqual([6002, String(body.data.retryAfterSeconds)]);
    expect(headers?.['ratelimit']).toContain('"key";r=0');
    await slow.stop();
  });
});
