import { SystemError } from '@tickrate/contract';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeyPage, keyVersion } from './keys/edit-key.ts';
import { policyVersion } from './projects/policies.ts';
import { projectVersion } from './projects/projects.ts';
import { createRegistry, type Registry } from './registry.ts';
import { migrateRegistry } from './store/registry-schema.ts';

const { url } = await freshPostgres();
let registry: Registry;

beforeAll(async () => {
  await migrateRegistry(url);
  registry = createRegistry({ postgresUrl: url, now: Date.now });
});
afterAll(() => registry.close());

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof SystemError ? error.reason : error),
  );

const newKey = async (projectId: string) =>
  (await registry.createKey({ projectId, kind: 'administrative', comment: 'CI', createdBy: 'test' })).key;

describe('managing a project', () => {
  test('an edit of an outdated version changes nothing', async () => {
    const project = await registry.createProject({ name: 'Kart' });
    const seen = projectVersion(project);
    const { id: projectId } = project;
    const edited = await registry.editProject({ projectId, version: seen, name: 'Kart 2' });
    expect(edited).toEqual({ ...project, name: 'Kart 2' });
    expect(await reasonOf(registry.editProject({ projectId, version: seen, name: 'Kart 3' }))).toBe(
      'objectChanged',
    );
    expect(await registry.project(projectId)).toEqual(edited);
    expect(await registry.project('p-aaaaaaaaaaaa')).toBeNull();
  });

  test('one of several concurrent edits succeeds', async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const version = policyVersion(null);
    const edits = [1, 2, 3, 4, 5].map((days) =>
      reasonOf(registry.editPolicy({ projectId, name: 'sample', value: { days }, version })),
    );
    const outcomes = await Promise.all(edits);
    expect(outcomes.toSorted()).toEqual(['done', ...Array.from({ length: 4 }, () => 'objectChanged')]);
    const stored = (await registry.policies(projectId)).get('sample');
    expect(stored).toEqual({ days: outcomes.indexOf('done') + 1 });
  });

  test('keys are listed newest first, page after page, each once', async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const made = await Promise.all(Array.from({ length: 7 }, () => newKey(projectId)));
    const seen: string[] = [];
    let after: KeyPage['after'] = null;
    for (;;) {
      const page = await registry.keyPage({ projectId, after, limit: 3 });
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      if (last === undefined) break;
      after = { createdMs: last.createdMs, id: last.id };
    }
    expect(seen.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  });

  test("another project's key is not found for a read or an edit", async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const other = await registry.createProject({ name: 'Other' });
    const key = await newKey(other.id);
    const place = { projectId, keyId: key.id };
    expect(await reasonOf(registry.key(place))).toBe('objectNotFound');
    const edit = { ...place, version: keyVersion(key), comment: 'mine' };
    expect(await reasonOf(registry.editKey(edit))).toBe('objectNotFound');
    expect((await registry.key({ ...place, projectId: other.id })).comment).toBe('CI');
  });

  test('a revoked key cannot be edited, and one edit does not undo another', async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const key = await newKey(projectId);
    const { edited } = await registry.editKey({
      projectId,
      keyId: key.id,
      version: keyVersion(key),
      scopes: ['keys:read'],
    });
    expect([edited.scopes, edited.comment]).toEqual([['keys:read'], 'CI']);
    const { key: revoked } = await registry.revokeKey({ keyId: key.id });
    expect(
      await reasonOf(
        registry.editKey({ projectId, keyId: key.id, version: keyVersion(revoked), comment: 'x' }),
      ),
    ).toBe('objectNotEditable');
  });

  test("a version's status changes only from the status that was read", async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const declaration = { type: 'object', properties: {} };
    await registry.declareEventType({ projectId, name: 'start', declaration });
    const change = { projectId, name: 'start', version: 1, status: 'deprecated', from: 'available' } as const;
    expect(await reasonOf(registry.setVersionStatus(change))).toBe('done');
    expect(await reasonOf(registry.setVersionStatus(change))).toBe('objectChanged');
    expect(await reasonOf(registry.setVersionStatus({ ...change, version: 2 }))).toBe('objectNotFound');
    expect((await registry.eventType(projectId, 'start')).versions[0]?.status).toBe('deprecated');
    expect(await reasonOf(registry.eventType(projectId, 'end'))).toBe('objectNotFound');
  });

  test('an action is recorded before it is done, its outcome is recorded once, and nothing else changes', async () => {
    const { id: projectId } = await registry.createProject({ name: 'Kart' });
    const act = (count: number) => ({
      id: `019ab2c4-5d6e-7f80-9123-${String(count).padStart(12, '0')}`,
      atMs: Date.UTC(2026, 0, count),
      projectId,
      act: count === 2 ? 'revokeKey' : 'createKey',
      actor: 'u-1',
      requestId: 'r',
      clientAddress: '::1',
      details: { count },
    });
    for (const count of [1, 2, 3]) await registry.beginAct(act(count));
    await registry.endAct({ id: act(1).id, outcome: 'done', details: { keyId: 'k' } });
    await registry.endAct({ id: act(1).id, outcome: 'objectNotFound', details: { count: 9 } });
    const newest = await registry.actPage({ projectId, limit: 2 });
    expect(newest).toEqual([act(3), act(2)].map((each) => ({ ...each, outcome: null })));
    const after = { atMs: act(2).atMs, id: act(2).id };
    expect(await registry.actPage({ projectId, after, limit: 2 })).toEqual([
      { ...act(1), details: { count: 1, keyId: 'k' }, outcome: 'done' },
    ]);
    expect(await registry.actPage({ projectId, act: 'revokeKey', limit: 9 })).toHaveLength(1);
  });
});
