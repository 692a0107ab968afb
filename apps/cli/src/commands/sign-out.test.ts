import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemError, systemErrorBody } from '@tickrate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { keepSession } from '../calling/kept-session.ts';
import { runCommand } from '../command-harness.ts';

/** A kept session of a server that answers every call like this. */
async function keepOne(status: number, body: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-session-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['x-api-key']}`);
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const expiry = Date.now() / 1000 + 3600;
  const file = keepSession(folder, { console: url, projectId: 'p-1', key: 'tk_ses_1', expiry });
  const run = (...args: string[]) => runCommand([...args, '--data', folder], { TICKRATE_AUTH_URL: url });
  return { asked, file, run };
}

const ended = systemErrorBody(systemError('sessionExpired', { invalidSessionId: 's-1' }), 'r-1');

test('a session that has ended is named with its file and the command', async () => {
  const { file, run } = await keepOne(401, ended);
  const { code, complaint } = await run('keys', 'list');
  expect(code).toBe(1);
  expect(complaint).toContain(`The session in ${file} has ended`);
  expect(complaint).toContain('tickrate -- sign-in');
});

test.each([
  ['an open session', 200, true],
  ['a session that has ended', 401, ended],
])('sign-out of %s removes its file', async (_name, status, body) => {
  const { asked, file, run } = await keepOne(status, body);
  expect(await run('sign-out')).toMatchObject({ code: 0, out: 'Signed out.\n' });
  expect(asked).toEqual(['DELETE /2018-03-24/session tk_ses_1']);
  expect(existsSync(file)).toBe(false);
  expect((await run('sign-out')).out).toBe('No session is kept here.\n');
});
