import { expect, test } from 'vitest';
import { defineConfig } from './config.ts';
import { sharedVariables } from './shared-variables.ts';

const { postgresUrl, queueUrl, clickhouseUrl, eventsUrl } = sharedVariables;
const config = defineConfig({ postgresUrl, queueUrl, clickhouseUrl, eventsUrl });
const supported = {
  POSTGRES_URL: 'postgres://u:secret@h/db?sslmode=require',
  QUEUE_URL: 'redis://a:6379/2, rediss://:secret@b ,postgresql://c/db?host=/run',
  CLICKHOUSE_URL: 'http://u:secret@h:8123',
  EVENTS_URL: 'https://events.example.com:8443/',
};

test('supported addresses are accepted', () => {
  expect(config.parse(supported)).toMatchObject({ queueUrl: supported.QUEUE_URL });
});

test.each([
  ['QUEUE_URL', 'redis-sentinel://u:secret@a:26379/mymaster', 'Sentinel'],
  ['QUEUE_URL', 'redis://u:secret@a:26379?sentinel=mymaster', 'parameters'],
  ['QUEUE_URL', 'redis://a,redis://:secret@b/zero', 'not a number'],
  ['QUEUE_URL', 'redis://a/0?password=secret', 'parameters'],
  ['QUEUE_URL', 'redis:secret', 'without a host'],
  ['QUEUE_URL', 'secret', 'no URL'],
  ['QUEUE_URL', ' , ', 'names no queue'],
  ['QUEUE_URL', 'http://u:secret@a', 'begins with http:'],
  ['QUEUE_URL', 'postgres://u:secret@a/db?options=-c', 'parameter options'],
  ['POSTGRES_URL', 'postgres://u:secret@a/db?synchronous_commit=off', 'parameter synchronous_commit'],
  ['CLICKHOUSE_URL', 'http://u:secret@a?database=x', 'parameter database'],
  ['EVENTS_URL', 'https://https://game.example.com', 'has a path'],
  ['EVENTS_URL', 'https://game.example.com/events', 'has a path'],
])('%s=%s is a fault that names the variable and repeats no password', (name, url, words) => {
  const parse = () => config.parse({ ...supported, [name]: url });
  expect(parse).toThrow(new RegExp(`${name} .*${words}`));
  expect(parse).not.toThrow(/secret/);
});
