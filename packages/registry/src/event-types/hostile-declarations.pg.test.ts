import { createPattern, readAcceptedDeclaration } from '@tickrate/events';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRegistry } from '../registry.ts';
import { migrateRegistry } from '../store/registry-schema.ts';
import { createWeighingThread, type WeighingOptions } from './weighing-thread.ts';

const { url } = await freshPostgres();
const registry = createRegistry({ postgresUrl: url, now: Date.now });
beforeAll(() => migrateRegistry(url));
afterAll(() => registry.close());

const event = (count: number, patternOf: (n: number) => string) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`m${n}`, { type: 'string', pattern: patternOf(n) }]),
  ),
});

/** CPU time of this thread in milliseconds. Other work on the machine does not count. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const began = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1_000;
}

// Invariant (Events and quarantine): No declaration blocks a process that serves others; one that costs
// too much is rejected with a pointer
// Invariant (Events and quarantine): The memory of a process for event types is bounded in bytes, and a
// project that declares much delays only itself
test('a declaration with expensive patterns is rejected with a pointer, without blocking the serving thread', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const declare = (name: string, declaration: unknown) =>
    registry.declareEventType({ projectId, name, declaration });
  await declare(
    'first',
    event(1, () => '^a$'),
  );
  for (const patternOf of [(n: number) => `a{900}b${n}`, (n: number) => `[a-q][^u-z]{13}x${n}`]) {
    const cpuMs = await cpuOf(async () =>
      expect(await declare('hostile', event(500, patternOf))).toMatchObject({
        ok: false,
        reason: 'declarationFaults',
        faults: [{ pointer: expect.stringMatching(/^\/properties\/m[0-9]+\/pattern$/), keyword: 'pattern' }],
      }),
    );
    expect(cpuMs).toBeLessThan(200);
  }
  expect(
    await declare(
      'hostile',
      event(500, (n) => `^item-${n}-[0-9a-f]{8}-[0-9a-f]{12}$`),
    ),
  ).toMatchObject({ ok: true });
});

test('a pattern that needs too much time or memory is a fault, and the next one is weighed', async () => {
  const weigh = async (options: WeighingOptions, sources: readonly string[]) => {
    const thread = createWeighingThread(options);
    onTestFinished(() => thread.close());
    const patterns = sources.map((source, n) => ({ pointer: `/${n}`, pattern: createPattern(source) }));
    const weighing = [
      thread.weigh('p-1', patterns),
      thread.weigh('p-1', [{ pointer: '/next', pattern: createPattern('(') }]),
    ];
    return (await Promise.all(weighing)).map((faults) => faults.map(({ pointer }) => pointer));
  };
  const heavy = (n: number) => `[a-q][^u-z]{12}x${n}`;
  const late = await weigh({ deadlineMs: 1 }, ['^a$', ...[1, 2, 3, 4].map(heavy)]);
  expect(late).toEqual([[expect.stringMatching(/^\/[0-9]$/)], [expect.stringMatching(/next/)]]);
  expect(await weigh({ memoryMb: 512 }, ['^a$'])).toEqual([[], ['/next']]);
});

test('reading an accepted declaration compiles none of its patterns', () => {
  const document = event(500, (n) => `[a-q][^u-z]{13}x${n}`);
  expect(readAcceptedDeclaration(document)).toMatchObject({ ok: true });
});

test('the versions of a type share one size limit', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const wide = (version: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 450 }, (_, n) => [
        `m${version}_${n}`,
        { type: 'string', description: 'x'.repeat(200) },
      ]),
    ),
  });
  let accepted = 0;
  for (; accepted < 30; accepted++) {
    const result = await registry.declareEventType({ projectId, name: 'wide', declaration: wide(accepted) });
    if (result.ok) continue;
    expect(result).toMatchObject({ faults: [{ message: expect.stringContaining('declare a new type') }] });
    break;
  }
  expect(accepted).toBeGreaterThan(10);
  expect(accepted).toBeLessThan(30);
});

test('the versions of a type share one limit of members, with every reference resolved', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const wide = (version: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 495 }, (_, n) => [`m${version}_${n}`, { $ref: '#/$defs/e' }]),
    ),
    $defs: { e: { type: 'string', description: 'd'.repeat(1_000) } },
  });
  const declare = (version: number) =>
    registry.declareEventType({ projectId, name: 'manifold', declaration: wide(version) });
  for (let version = 1; version <= 5; version++) expect(await declare(version)).toMatchObject({ ok: true });
  expect(await declare(6)).toMatchObject({
    faults: [
      {
        pointer: expect.stringMatching(/^\/properties\/m6_[0-9]+$/),
        message: expect.stringContaining('declare a new type'),
      },
    ],
  });
});

test('a project with many requests delays only itself, and is refused when too many wait', async () => {
  const thread = createWeighingThread();
  onTestFinished(() => thread.close());
  const done: string[] = [];
  const weigh = async (projectId: string, source: string) => {
    await thread.weigh(projectId, [{ pointer: '/a', pattern: createPattern(source) }]);
    done.push(projectId);
  };
  const flood = Promise.allSettled(Array.from({ length: 12 }, (_, n) => weigh('p-many', `^a{300}b${n}`)));
  await weigh('p-one', '^a$');
  expect(done.filter((projectId) => projectId === 'p-many').length).toBeLessThanOrEqual(2);
  const refused = (await flood).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { reason: 'rateLimited' } });
});
