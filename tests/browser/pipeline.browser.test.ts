import { randomBytes, randomFillSync } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { createRecordId } from '@tickrate/contract';
import { appendRow, compileDeclaration, createEventIds, createRowFrame, RowWriter } from '@tickrate/events';
import { createLedger } from '@tickrate/pipeline';
import { expect, inject, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('sends dead letters again, and shows a viewer neither them nor other projects, on a phone too', async () => {
  const world = await createWorld('Dead letters');
  await world.declare('level_up', { level: { type: 'integer' } });
  await world.send('level_up', [{ level: 1 }]);
  await world.untilStored(1);
  await buryOne(world.projectId);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/pipeline`);
  const dead = page.getByRole('region', { name: 'Dead letters' });
  await dead.getByText('row refused').waitFor();
  const alarm = page.getByRole('link', { name: /1 event is a dead letter/ });
  expect(await alarm.getAttribute('href')).toMatch(/\/quarantine\?.*kind=dead/);
  const alarms = page.getByRole('region', { name: 'Alarms' });
  await alarms.getByText('What to do, step by step').first().click();
  await alarms.getByText('npm run tickrate -- quarantine replay --kind dead').waitFor();
  await alarms.getByText('docs/operations.md, “Rows are refused”').waitFor();
  await page.getByRole('figure', { name: /^Stored events per minute/ }).waitFor();
  await page.getByText('The whole installation').waitFor();
  await page.getByRole('meter', { name: 'Queue lane 1' }).waitFor();
  const workers = page.getByRole('table', { name: 'Workers' });
  await workers.getByRole('row').nth(1).getByText(/MiB/).waitFor();
  await dead.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('1 event is on the way again').waitFor();
  await dead.getByText('No dead letters.').waitFor();

  const viewer = await openPage({ as: await world.join('viewer'), width: 390 });
  await viewer.visit(`/p/${world.projectId}/pipeline`);
  await viewer.page.getByText('Your role does not show them.').waitFor();
  await viewer.page.getByText('Only the owner of the installation sees them.').first().waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  expect(await viewer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(viewer.page);
});

/** An accepted event whose row ClickHouse refused. */
async function buryOne(projectId: string): Promise<void> {
  const ledger = createLedger({ postgresUrl: inject('product').postgres });
  const [batchId, chunkId, id] = [newId(), newId(), newId()];
  const position = { start: 0, settled: 0, voids: [] };
  const producer = `gateway of ${projectId}`;
  await ledger.seal(batchId, [{ id: chunkId, projectId, count: 1, idempotency: [], producer, position }]);
  const letter = {
    id,
    projectId,
    chunkId,
    firstRow: 0,
    rows: 1,
    payload: frameOf(projectId),
    types: { level_up: 1 },
  };
  await ledger.buryFragment({ batchId, path: '', reason: 'refusedRow', detail: '27: no', letters: [letter] });
  await ledger.stored(batchId);
  await ledger.close();
}

function newId(): string {
  return createRecordId(Date.now(), randomBytes);
}

function frameOf(projectId: string): Buffer {
  const compiled = compileDeclaration({ type: 'object', properties: { level: { type: 'integer' } } });
  if (!compiled.ok) throw new Error('the declaration is not valid');
  const sender = {
    projectId,
    keyKind: 'administrative',
    keyLine: null,
    sessionId: '',
    accountId: '',
    clientAddress: '',
    sdkName: '',
    sdkVersion: '',
    receivedMs: Date.now(),
    skewMs: 0,
  } as const;
  const type = { name: 'level_up', version: 1, codec: compiled.declaration.codec(), hasOccurredAt: false };
  const writer = new RowWriter();
  const source = Buffer.from('{"level":2}');
  const envelope = { eventId: null, occurredMs: null };
  appendRow(writer, createRowFrame(sender, type), {
    source,
    at: 0,
    envelope,
    ids: createEventIds(randomFillSync),
  });
  return zstdCompressSync(writer.bytes.subarray(0, writer.at));
}
