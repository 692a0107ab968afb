import { createLedger, migrateLedger } from '@tickrate/pipeline';
import { freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, test } from 'vitest';
import { storeBesideFlood } from '../testing/flood-case.ts';

const { url: postgresUrl } = await freshPostgres();
const ledger = createLedger({ postgresUrl });
beforeAll(() => migrateLedger(postgresUrl));
afterAll(() => ledger.close());

test('an event of one project is stored before the backlog of another one that floods', () =>
  storeBesideFlood({ queueUrl: postgresUrl, ledger, now: Date.now, waitUntil }));
