import { expect, test } from 'vitest';
import { checkStoreTls } from './check-tls.ts';

const stores = {
  postgresUrl: 'postgres://u:pw@postgres:5432/x',
  queueUrl: 'redis://:pw@10.0.0.3:6379,redis://:pw@[fd00::1]:6380',
  clickhouseUrl: 'http://u:pw@clickhouse:8123',
  clickhouseDatabase: 'tickrate',
};

test('databases on a private network need no TLS', () => {
  expect(checkStoreTls(stores)).toMatchObject({ state: 'good', advice: null });
  expect(checkStoreTls({ ...stores, clickhouseUrl: null }).state).toBe('good');
});

test.each([
  ['db.example.com:5432', { postgresUrl: 'postgres://u:pw@db.example.com:5432/x' }],
  ['db.example.com', { postgresUrl: 'postgres://u:pw@db.example.com/x?sslmode=disable' }],
  ['198.51.100.7:6379', { queueUrl: 'redis://:pw@127.0.0.1:6379,redis://:pw@198.51.100.7:6379' }],
  ['ch.example.com:8123', { clickhouseUrl: 'http://u:pw@ch.example.com:8123' }],
])('%s is reported without its password', (host, change) => {
  const finding = checkStoreTls({ ...stores, ...change });
  expect(finding).toMatchObject({ state: 'bad', advice: expect.stringContaining('sslmode') });
  expect(finding.found).toContain(`${host}: `);
  expect(finding.found).not.toContain('pw');
});

test.each([
  { postgresUrl: 'postgres://u:pw@db.example.com:5432/x?sslmode=verify-full' },
  { queueUrl: 'rediss://:pw@redis.example.com:6379' },
  { clickhouseUrl: 'https://u:pw@ch.example.com:8443' },
])('with TLS, a public address is no fault: %j', (change) => {
  expect(checkStoreTls({ ...stores, ...change }).state).toBe('good');
});
