import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventsOf, firstDayOf, pastDays, sessionsOfDay } from './game/sessions.ts';
import { openJournal, playSession } from './play.ts';

const dayMs = 86_400_000;
const startedMs = Date.now() - 7 * dayMs;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Answers sign-ins with sessions, and events as `events` says. */
async function startServer(events: (response: ServerResponse) => void, signIn = true): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    for await (const _ of request);
    response.setHeader('Content-Type', 'application/json');
    if (request.url?.includes('/event/') === true) return void events(response);
    if (!signIn) return void refuse(response);
    const authenticatedSession = { apiKey: 'key', accountId: 'u-1', start: 0, expiry: 4e9 };
    const issuedDeviceToken = { deviceId: 'device', deviceSecret: 'secret' };
    response.end(JSON.stringify({ authenticatedSession, issuedDeviceToken }));
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function refuse(response: ServerResponse): void {
  response.writeHead(401).end(JSON.stringify({ code: 2002, data: {} }));
}

async function play(url: string) {
  const folder = newFolder();
  const [session] = sessionsOfDay(firstDayOf(startedMs) + 3, startedMs);
  if (session === undefined) throw new Error('nobody plays');
  let sent = 0;
  const outcome = await playSession(session, {
    gatewayUrl: url,
    authUrl: url,
    startedMs,
    key: 'tk_pub_key',
    voucher: { write: (address) => address },
    device: {
      wallMs: Date.now,
      monotonicMs: () => performance.now(),
      random: Math.random,
      randomHex: (bytes) => randomBytes(bytes).toString('hex'),
      fetch,
    },
    journal: openJournal({ folder, projectId: 'p-1', startedMs, arrivedMs: null }),
    signal: new AbortController().signal,
    onSent: () => {
      sent += 1;
    },
  });
  return { outcome, sent, events: eventsOf(session) };
}

test('a past session is sent at once', async () => {
  const url = await startServer(
    (response) => void response.end(JSON.stringify({ accepted: 1, rejected: [] })),
  );
  const { outcome, sent, events } = await play(url);
  expect([outcome, sent]).toEqual(['sent', events.filter(({ isFaulty }) => !isFaulty).length]);
});

test('a player whose account ended, as an erased one, stops playing, and that is no fault', async () => {
  const url = await startServer(refuse, false);
  expect((await play(url)).outcome).toBe('ended');
});

test('no session is played twice, and none is left out, also after a restart', () => {
  const folder = newFolder();
  const place = { folder, projectId: 'p-1', startedMs, arrivedMs: null };
  const nowMs = startedMs;
  const journal = openJournal(place);
  const { past, coming } = journal.sessions(nowMs);
  expect(past.every(({ endMs }) => endMs <= nowMs)).toBe(true);
  expect(past[0]?.startMs).toBeGreaterThan(nowMs - (pastDays + 1) * dayMs);
  for (const session of past.slice(0, 100)) journal.begin(session);
  const again = openJournal(place).sessions(nowMs);
  expect(again).toEqual({ past: past.slice(100), coming });
  // Sessions that were due while the process was away are past.
  const later = openJournal({ ...place, arrivedMs: nowMs }).sessions(nowMs + dayMs);
  expect(later.past.filter(({ startMs }) => startMs > nowMs).length).toBeGreaterThan(100);
  // Without the folder, nothing is sent a second time.
  const lost = openJournal({ ...place, projectId: 'p-2', arrivedMs: nowMs }).sessions(nowMs);
  expect(lost.past).toEqual([]);
});
