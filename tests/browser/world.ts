import { waitUntil } from '@tickrate/testkit';
import { inject } from 'vitest';
import { ofPage, openSession } from './open-session.ts';

/** A project of its own for a test, with the rights of its key. */
export interface World {
  readonly projectId: string;
  /** An administrative key. */
  readonly key: string;
  /** Calls the management API. Rejects with the refusal. */
  call<T>(name: `${string} /${string}`, body?: object): Promise<T>;
  declare(type: string, properties: object): Promise<void>;
  /** Sends events as the administrative key, and waits until they are stored if asked to. */
  send(type: string, events: readonly object[]): Promise<void>;
  /** Sends events that do not match their type, each in its own request, and waits until they are in the quarantine. */
  reject(type: string, events: readonly object[]): Promise<void>;
  /** Waits until queries see this many events, which is up to a second after they were stored. */
  untilStored(count: number): Promise<void>;
  /** The codes of the mails to an administrator, newest first. */
  mailedCodes(email: string): Promise<string[]>;
  /** Invites an administrator, who accepts. */
  join(
    role: string,
  ): Promise<{ readonly email: string; readonly password: string; readonly projectId: string }>;
}

/** Creates a project whose owner is the first administrator, who also signs in in the tests. */
export async function createWorld(name = 'Kart'): Promise<World> {
  const { console: consoleUrl, gateway, admin } = inject('product');
  const session = await openSession(consoleUrl, admin);
  const cookie = `${session.name}=${session.value}`;
  const made = await sendJson<{ project: { id: string }; text: string }>(`${consoleUrl}/v1/projects`, {
    method: 'POST',
    headers: { ...ofPage, Cookie: cookie },
    body: { name },
  });
  const key = made.text;
  const world: World = {
    projectId: made.project.id,
    key,
    call(call, body) {
      const [method = '', path = ''] = call.split(' ');
      return sendJson(consoleUrl + path, { method, headers: { 'X-API-Key': key }, body });
    },
    async declare(type, properties) {
      await world.call(`POST /v1/event-types/${type}/versions`, {
        declaration: { type: 'object', properties },
      });
    },
    async send(type, events) {
      const url = `${gateway}/v1/event/batchInsert?eventType=${type}`;
      await sendJson(url, { method: 'PUT', headers: { 'X-API-Key': key }, body: events });
    },
    async reject(type, events) {
      for (const event of events) {
        await fetch(`${gateway}/v1/event/insert?eventType=${type}`, {
          method: 'PUT',
          headers: { Connection: 'close', 'X-API-Key': key, 'Content-Type': 'application/json' },
          body: JSON.stringify(event),
        });
      }
      await waitUntil(
        async () =>
          (await world.call<{ results: object[] }>(`GET /v1/quarantine?type=${type}`)).results.length >=
          events.length,
        { what: 'rejected events', timeoutMs: 20_000 },
      );
    },
    async untilStored(count) {
      const sql = 'SELECT toFloat64(count()) AS events FROM events';
      await waitUntil(
        async () => {
          const { data } = await world.call<{ data: { events: number }[] }>('POST /v1/query', { sql });
          const { events } = await world.call<{ events: { stored: number } }>('GET /v1/pipeline');
          return events.stored >= count && (data[0]?.events ?? 0) >= count;
        },
        { what: `${count} stored events`, timeoutMs: 20_000 },
      );
    },
    async mailedCodes(email) {
      // The owner of the installation sees the mails to administrators.
      const { results } = await sendJson<{ results: { to: string; text: string }[] }>(
        `${consoleUrl}/v1/outbox`,
        { method: 'GET', headers: { ...ofPage, Cookie: cookie } },
      );
      return results.flatMap(({ to, text }) => (to === email ? (/Code: (\S+)/.exec(text)?.[1] ?? []) : []));
    },
    async join(role) {
      const { projectId } = world;
      const [email, password] = [`${role}-${projectId}@example.com`, `a long password of ${projectId}`];
      await world.call('POST /v1/invitations', { emailAddress: email, role });
      const body = { emailAddress: email, password, intent: 'register', projectId };
      await sendJson(`${consoleUrl}/session/exchange`, { method: 'POST', headers: ofPage, body });
      const token = await waitUntil(async () => (await world.mailedCodes(email))[0], {
        what: 'the code of the mail',
      });
      await sendJson(`${consoleUrl}/session/account/email/verify`, {
        method: 'POST',
        headers: ofPage,
        body: { token, password },
      });
      return { email, password, projectId };
    },
  };
  return world;
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function sendJson<T>(url: string, { method, headers, body }: Sent): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: {
      Connection: 'close',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return JSON.parse(text);
}
