import { createErasures } from '@tickrate/pipeline';
import { describe, expect, test } from 'vitest';
import { startStoredWorld } from '../../testing/console-harness.ts';
import { createPlayer } from '../../testing/player-harness.ts';

const { world, postgresUrl, clickhouse } = await startStoredWorld();

describe('erasing', () => {
  test('is requested once, found again, and done in this project only', async () => {
    const project = await world.project();
    const other = await world.project();
    const { projectId } = project;
    const bo = await createPlayer(world.accounts, { projectId, nowMs: Date.now() });
    const max = await createPlayer(world.accounts, { projectId, nowMs: Date.now() });
    const erase = (accountId: string, mode: string, key = project.key) =>
      world.send({ method: 'POST', path: `/v1/players/${accountId}/erasure`, key, body: { mode } });
    const ask = () => erase(bo.accountId, 'remove');
    const first = await ask();
    for (const refused of [await erase('u-nobody', 'remove'), await erase(bo.accountId, 'remove', other.key)])
      expect(refused.body).toMatchObject({ code: 3001, data: { objectType: 'player' } });
    expect((await ask()).body.id).toBe(first.body.id);
    const path = `/v1/erasures/${first.body.id}`;
    expect((await world.send({ path, key: project.key })).body).toMatchObject({ state: 'requested' });
    expect((await world.send({ path, key: other.key })).body.code).toBe(3001);
    const erasures = createErasures({ postgresUrl, newId: () => crypto.randomUUID() });
    expect((await erasures.find(first.body.id))?.projectId).toBe(project.projectId);
    await erasures.close();
    const later = await erase(max.accountId, 'mask');
    const newest = await world.send({ path: '/v1/erasures?limit=1', key: project.key });
    const oldest = await world.send({
      path: `/v1/erasures?limit=1&cursor=${newest.body.next}`,
      key: project.key,
    });
    expect([newest.body.results, oldest.body]).toMatchObject([
      [{ id: later.body.id }],
      { results: [{ id: first.body.id }], next: null },
    ]);
    const audited = `/v1/audit?act=erasePlayer&accountId=${bo.accountId}`;
    const acts = await world.send({ path: audited, key: project.key });
    expect(acts.body.results[0].details).toMatchObject({ accountId: bo.accountId, mode: 'remove' });
    // A deleted account is known by its erasure: its late events can be exported and erased again.
    await world.accounts.query('DELETE FROM auth.accounts WHERE id = $1', [bo.accountId]);
    expect((await ask()).body.id).toBe(first.body.id);
    const exportPath = `/v1/players/${bo.accountId}/export`;
    const exported = await world.send({ method: 'POST', path: exportPath, key: project.key });
    expect(exported.body).toBe('{"complete":true}\n');
  });

  test('is possible for events whose account is not there, as after a backup of the accounts was restored', async () => {
    const { projectId, key } = await world.project();
    const other = await world.project();
    const row = {
      project: projectId,
      type: 'chat',
      version: 1,
      key_kind: 'session',
      account_id: 'u-lost',
      data: {},
      session_id: 's',
      event_id: crypto.randomUUID(),
      chunk_id: crypto.randomUUID(),
      received: '2026-11-02 10:00:01',
      occurred: '2026-11-02 10:00:00',
    };
    await clickhouse.run(`INSERT INTO events FORMAT JSONEachRow ${JSON.stringify(row)}`);
    const call = { method: 'POST', path: '/v1/players/u-lost/erasure', body: { mode: 'remove' } };
    expect((await world.send({ ...call, key: other.key })).body.code).toBe(3001);
    expect((await world.send({ ...call, key })).body).toMatchObject({ state: 'requested' });
  });
});

describe('exporting', () => {
  test('requires the scope for personal data, and an account of the project', async () => {
    const { key, projectId } = await world.project();
    const { text: weak } = await world.registry.createKey({
      projectId,
      kind: 'administrative',
      comment: '',
      createdBy: 'test',
      scopes: ['players:write'],
    });
    const call = { method: 'POST', path: '/v1/players/u-bo/export' };
    expect((await world.send({ ...call, key: weak })).body.data.parameterName).toBe('personal:read');
    expect((await world.send({ ...call, key })).body).toMatchObject({ code: 3001 });
  });

  test('contains the account and all its data, without secrets', async () => {
    const { key, projectId } = await world.project();
    const { accountId, emailAddress, subject, session } = await createPlayer(world.accounts, {
      projectId,
      nowMs: Date.now(),
    });
    const path = `/v1/players/${accountId}/export`;
    const { body } = await world.send({ method: 'POST', path, key });
    const lines: Record<string, unknown>[] = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line));
    expect(Object.assign({}, ...lines)).toMatchObject({
      account: { id: accountId, emailAddress },
      identities: [{ provider: 'steam', subject }],
      sessions: [{ id: session.id }],
      complete: true,
    });
    expect(body).not.toContain(session.key);
    const other = await world.project();
    const theirs = await world.send({ method: 'POST', path, key: other.key });
    expect(theirs.body).toMatchObject({ code: 3001, data: { objectType: 'player' } });
  });
});
