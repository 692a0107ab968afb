import { describe, expect, test } from 'vitest';
import { createLogger } from './logger.ts';

const key = 'tk_adm_abcdefghijklmnopqrstuvwxyz0123456789';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(
    createLogger({
      name: 'test',
      level: 'debug',
      now: () => 0,
      destination: {
        write: (line) => {
          text += line;
        },
      },
    }),
  );
  return text;
}

describe('a log line', () => {
  test('is one JSON object with level, time, process and message', () => {
    const text = logged((logger) => logger.info({ count: 3 }, 'hello'));
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      level: 'info',
      time: '1970-01-01T00:00:00.000Z',
      name: 'test',
      count: 3,
      msg: 'hello',
    });
  });

  test('never contains a value with a secret-bearing name, at any depth', () => {
    const names = [
      'x-api-key',
      'X-API-Key',
      'authorization',
      'api_key',
      'apiKey',
      'password',
      'token',
      'ticket',
    ];
    names.push('code', 'cookie', 'Set-Cookie', 'secret', 'client_secret', 'accessToken', 'refresh_token');
    for (const name of names) {
      const secret = { [name]: 'hunter2' };
      const text = logged((logger) => {
        logger.info(secret, 'flat');
        logger.info({ a: { b: [{ c: { ...secret } }] } }, 'deep');
        logger.info({ list: { [name]: ['hunter2', { inner: 'hunter2' }] } }, 'inside');
        logger.child(secret).info('bound');
        logger.error(Object.assign(new Error('x', { cause: { body: secret } }), secret), 'error');
      });
      expect(text).not.toContain('hunter2');
      expect(text).toContain('[redacted]');
    }
  });

  test('keeps numbers under such names: they are codes of faults and counts', () => {
    expect(logged((logger) => logger.info({ code: 1003, token: 5 }))).toMatch(/"code":1003,"token":5/);
  });

  test('contains no API key and no password of a URL, in any place', () => {
    const text = logged((logger) => {
      logger.info(`with ${key}`);
      logger.info({ url: `/v1/event/insert?apiKey=${key}` }, 'url');
      logger.child({ who: key }).info('bound');
      logger.error(new Error(`cannot reach postgres://tick:hunter2@db:5432/x with ${key}`));
    });
    expect(text).not.toContain(key);
    expect(text).not.toContain('hunter2');
    expect(text).toContain('tk_adm_abcde[redacted]');
    expect(text).toContain('postgres://tick:[redacted]@db:5432/x');
  });

  test('keeps the part of a key that may be shown', () => {
    expect(logged((logger) => logger.info({ key: 'tk_pub_abcde' }))).toContain('"key":"tk_pub_abcde"');
  });

  test('contains errors with their cause and the code of a driver', () => {
    const error = Object.assign(new Error('outer', { cause: new Error('inner') }), { code: 'ECONNREFUSED' });
    const line = JSON.parse(logged((logger) => logger.error({ err: error, requestId: 'r' }, 'failed')));
    expect(line.err).toMatchObject({
      message: 'outer',
      errorCode: 'ECONNREFUSED',
      cause: { message: 'inner' },
    });
    expect(line.err.stack).toContain('logger.test.ts');
  });

  test('survives objects that hold themselves, bytes and big integers', () => {
    const loop: Record<string, unknown> = { big: 2n ** 70n, bytes: Buffer.from('secret bytes') };
    loop['self'] = loop;
    const line = JSON.parse(logged((logger) => logger.info({ loop }, 'odd')));
    expect(line.loop).toMatchObject({ big: '1180591620717411303424', bytes: '[12 bytes]' });
  });
});
