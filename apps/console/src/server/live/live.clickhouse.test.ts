import { waitUntil } from '@tickrate/testkit';
import { afterEach, expect, test } from 'vitest';
import { createAdministrator } from '../../testing/administrator-harness.ts';
import { startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse } = await startStoredWorld();
const open = new Set<Watched>();

afterEach(async () => {
  for (const stream of open) await stream.close();
});

/** Stores events of one chunk, `secondsAgo` as their time of arrival. */
async function store(projectId: string, rows: readonly object[], secondsAgo = 0): Promise<void> {
  const at = new Date(Date.now() - secondsAgo * 1_000).toISOString();
  const common = {
    project: projectId,
    type: 'level_up',
    version: 1,
    key_kind: 'session',
    chunk_id: crypto.randomUUID(),
    received: at,
    occurred: at,
  };
  const lines = rows.map((row) => JSON.stringify({ ...common, event_id: crypto.randomUUID(), ...row }));
  await clickhouse.run(
    `INSERT INTO events SETTINGS date_time_input_format = 'best_effort' FORMAT JSONEachRow ${lines.join('\n')}`,
  );
}

interface Frame {
  readonly id: string | null;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: these tests check what a client decodes
  readonly data: any;
}

interface Watched {
  readonly status: number;
  readonly frames: readonly Frame[];
  events(): readonly { readonly type: string; readonly event: Readonly<Record<string, unknown>> }[];
  /** The values of this member. Events of one millisecond have no order. */
  values(member: string): readonly unknown[];
  until(what: string, isThere: () => boolean): Promise<void>;
  close(): Promise<void>;
}

async function watch(
  key: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Watched> {
  const gone = new AbortController();
  const answer = await fetch(`${world.url}/v1/live${query}`, {
    signal: gone.signal,
    headers: { 'X-API-Key': key, ...headers },
  });
  const frames: Frame[] = [];
  const done = answer.ok
    ? collect(answer, frames)
    : answer.json().then((data) => frames.push({ ...none, data }));
  const watched: Watched = {
    status: answer.status,
    frames,
    events: () => frames.flatMap(({ data }) => data.events ?? []),
    values: (member) =>
      watched
        .events()
        .map(({ event }) => event[member])
        .toSorted(),
    until: async (what, isThere) => {
      await waitUntil(isThere, { timeoutMs: 5_000, what });
    },
    async close() {
      open.delete(watched);
      gone.abort();
      await done.catch(() => undefined);
    },
  };
  open.add(watched);
  if (!answer.ok) await done;
  return watched;
}

const none = { id: null, event: '' };

async function collect(answer: Response, frames: Frame[]): Promise<void> {
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const members = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      const data = JSON.parse(members.get('data') ?? 'null');
      frames.push({ id: members.get('id') ?? null, event: members.get('event') ?? '', data });
    }
  }
}

// Invariant (Queries): Every stored event is in a live stream's `events`, `skipped` or `unread`, and a
// paused reader costs a bounded number of bytes
// Invariant (Queries): A live stream ends within seconds of the rights to it
test('begins with the last events of a quiet project, and then shows each new one, once', async () => {
  const { projectId, key } = await world.project();
  await store(projectId, [{ data: { n: 1 } }, { data: { n: 2 } }], 7_200);
  const live = await watch(key);
  await live.until('the last events', () => live.events().length === 2);
  await store(projectId, [{ data: { n: 3 } }]);
  await live.until('the new event', () => live.events().length === 3);
  expect(live.values('n')).toEqual([1, 2, 3]);
  expect(live.frames.every(({ data }) => (data.unread ?? 0) === 0)).toBe(true);
});

test('shows the last events, also those of an hour ago, and then each new one, once', async () => {
  const { projectId, key } = await world.project();
  const other = await world.project();
  await store(projectId, [{ data: { level: 1 } }], 60);
  await store(projectId, [{ data: { level: 0 } }], 3_600);
  const live = await watch(key);
  await live.until('the past', () => live.events().length === 2);
  await store(projectId, [{ data: { level: 2, id: '9007199254740993' } }, { data: { level: 3 } }]);
  await store(other.projectId, [{ data: { level: 9 } }]);
  // Late: an older time of arrival than that of events that were shown.
  await store(projectId, [{ data: { level: 4 } }], 10);
  await live.until('the new events', () => live.events().length >= 5);
  const sinceMs = Date.now();
  await store(projectId, [{ data: { level: 5 } }]);
  await live.until('the last event', () => live.events().length >= 6);
  expect(live.values('level')).toEqual([0, 1, 2, 3, 4, 5]);
  expect(live.values('id')).toContain('9007199254740993');
  const [frame] = live.frames;
  expect(frame).toMatchObject({ event: 'events', data: { skipped: 0, unread: 0, failing: false } });
  // Not the lag of the late event, or of the past.
  expect(live.frames.at(-1)?.data.lagSeconds).toBeLessThanOrEqual((Date.now() - sinceMs) / 1_000);
});

test('sends each viewer the events of its filter', async () => {
  const { projectId, key } = await world.project();
  const byType = await watch(key, '?types=crash,purchase');
  const byPlayer = await watch(key, '?accountId=u-7');
  const where = encodeURIComponent('[{"member":"level","is":"greater","value":5}]');
  const byMember = await watch(key, `?where=${where}`);
  await store(projectId, [
    { type: 'crash', account_id: 'u-7', data: { level: 1 } },
    { type: 'level_up', account_id: 'u-7', data: { level: 6 } },
    { type: 'purchase', account_id: 'u-8', data: { level: 7 } },
  ]);
  const all = [byType, byPlayer, byMember];
  await byMember.until('the events', () => all.every((live) => live.events().length === 2));
  expect(all.map((live) => live.values('level'))).toEqual([
    [1, 7],
    [1, 6],
    [6, 7],
  ]);
  expect((await watch(key, '?where=nonsense')).frames[0]?.data.code).toBe(1003);
});

test('counts what it leaves out of a flood', async () => {
  const { projectId, key } = await world.project();
  const live = await watch(key);
  await live.until('the first frame', () => live.frames.length > 0);
  await clickhouse.run(`INSERT INTO events (project, type, version, event_id, chunk_id, received, occurred, key_kind, data)
    SELECT '${projectId}', 'flood', 1, generateUUIDv4(), toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number % 40), 12, '0'))),
      now64(3), now64(3), 'public', '{"n":1}' FROM numbers(20000)`);
  const total = () =>
    live.frames.reduce(
      (sum, { data }) => sum + (data.events?.length ?? 0) + (data.skipped ?? 0) + (data.unread ?? 0),
      0,
    );
  await live.until('the whole flood', () => total() >= 20_000);
  expect(total()).toBe(20_000);
  expect(live.events().length).toBeGreaterThan(0);
  for (const { data } of live.frames) expect(data.events.length).toBeLessThanOrEqual(100);
});

test('hides personal data from a viewer without the scope, and refuses filters on it', async () => {
  const { projectId, key } = await world.project();
  const nick = { type: 'string', 'x-personal': true };
  await world.registry.declareEventType({
    projectId,
    name: 'level_up',
    declaration: { type: 'object', properties: { level: { type: 'integer' }, nick } },
  });
  const viewer = await createAdministrator(world.accounts, { [projectId]: 'viewer' });
  const [masked, whole] = [await watch(viewer.key), await watch(key)];
  const data = { level: 1, nick: 'Bo' };
  await store(projectId, [
    { account_id: 'u-7', session_id: 'us-7', client_address: '203.0.113.0', data },
    { type: 'undeclared', account_id: 'u-7', data },
  ]);
  await masked.until('the events', () => masked.events().length === 2 && whole.events().length === 2);
  const byName = masked.events().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  expect(byName).toMatchObject([
    { accountId: null, sessionId: null, clientAddress: null, event: { level: 1, nick: null } },
    { accountId: null, event: {} },
  ]);
  expect(JSON.stringify(masked.frames)).not.toMatch(/Bo|u-7|203\.0\.113/);
  expect(whole.events()).toMatchObject([{ accountId: 'u-7', event: { nick: 'Bo' } }, { accountId: 'u-7' }]);
  const where = encodeURIComponent('[{"member":"nick","is":"equal","value":"Bo"}]');
  for (const query of ['?accountId=u-7', '?sessionId=us-7', `?where=${where}`]) {
    const { status, frames } = await watch(viewer.key, query);
    expect([status, frames[0]?.data.code]).toEqual([403, 2006]);
  }
});

test('ends within seconds for a viewer whose role is taken away, and for one whose key is revoked', async () => {
  const { projectId, key } = await world.project();
  const analyst = await createAdministrator(world.accounts, { [projectId]: 'analyst' });
  const { text, key: made } = await world.registry.createKey({
    projectId,
    kind: 'administrative',
    comment: '',
    createdBy: 'test',
    scopes: ['queries:read', 'personal:read'],
  });
  const [bySession, byKey] = [await watch(analyst.key), await watch(text)];
  const path = `/v1/members/${analyst.accountId}`;
  await world.send({ method: 'DELETE', path, key });
  await world.registry.revokeKey({ keyId: made.id });
  for (const [live, code] of [
    [bySession, 2004],
    [byKey, 2002],
  ] as const) {
    await live.until('the end', () => live.frames.at(-1)?.event === 'end');
    expect(live.frames.at(-1)?.data.code).toBe(code);
  }
});

test('continues after the last frame that a viewer got', async () => {
  const { projectId, key } = await world.project();
  const other = await watch(key);
  const first = await watch(key);
  await store(projectId, [{ data: { n: 1 } }]);
  await first.until('the first event', () => first.events().length === 1 && other.events().length === 1);
  const lastId = first.frames.findLast(({ data }) => data.events.length > 0)?.id ?? '';
  await first.close();
  await store(projectId, [{ data: { n: 2 } }, { data: { n: 3 } }]);
  await other.until('the events meanwhile', () => other.events().length === 3);
  const again = await watch(key, '', { 'Last-Event-ID': lastId });
  await again.until('the events', () => again.events().length === 2);
  await other.close();
  await again.close();
  // All viewers left, so the feed is another one: the time of arrival is what is known.
  const anew = await watch(key, '', { 'Last-Event-ID': lastId });
  await anew.until('the events of the new feed', () => anew.events().length >= 2);
  expect(anew.values('n')).toEqual([2, 3]);
});

test('a key has at most ten streams', async () => {
  const { key } = await world.project();
  const streams = await Promise.all(Array.from({ length: 10 }, () => watch(key)));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const refused = await watch(key);
  expect([refused.status, refused.frames[0]?.data.code]).toEqual([429, 6002]);
});
