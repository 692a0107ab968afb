import { createLedger, migrateLedger } from '@tickrate/pipeline';
import { freshPostgres, startRedisServer, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, test } from 'vitest';
import { storeBesideFlood } from '../testing/flood-case.ts';

const { url: postgresUrl } = await freshPostgres();
const redis = await startRedisServer();
const ledger = createLedger({ postgresUrl });
beforeAll(() => migrateLedger(postgresUrl));
afterAll(() => Promise.all([ledger.close(), redis.stop()]));

test('an event of one project is stored before the backlog of another one that floods', () =>
  storeBesideFlood({ queueUrl: redis.url, ledger, now: Date.now, waitUntil }));
