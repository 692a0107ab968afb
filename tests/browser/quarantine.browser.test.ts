import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { seedProject } from './seed-project.ts';

test('mends a declaration and replays what it rejected, on one page', async () => {
  const world = await seedProject('Mending');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/quarantine`);
  const chart = page.getByRole('figure', { name: 'Rejected events and dead letters over time' });
  await chart.getByText('level_up · wrong type').waitFor();
  await page.getByText('Choose a line to mend and replay its events').waitFor();
  await page.getByRole('table', { name: 'Events' }).getByText('"7"').click();
  await page.getByRole('button', { name: 'Mend and replay' }).click();
  const entry = page.getByRole('table', { name: 'Events' }).getByRole('row', { name: 'must be an integer' });
  await entry.getByText('level', { exact: true }).waitFor();
  await entry.getByText('"7"').click();
  expect(await page.locator('mark').textContent()).toBe('"7"');
  const declaration = page.getByLabel('Declaration (JSON Schema)');
  const before = await declaration.inputValue();
  await declaration.fill('{"type": ');
  await page.getByText('This is not JSON').waitFor();
  const mended = JSON.parse(before);
  mended.properties.level = { type: 'string', maxLength: 10 };
  await declaration.fill(JSON.stringify(mended));
  await page.getByText('Breaks clients of the version before').waitFor();
  await page.getByText('As text, the member can no longer be summed').waitFor();
  await page.getByText('1 of 1 samples would pass').waitFor();
  mended.properties.level.maxLength = 0;
  await declaration.fill(JSON.stringify(mended));
  await page.getByText('0 of 1 samples would pass').waitFor();
  await page.getByText('must have at most 0 characters').first().waitFor();
  await declaration.fill(before);
  await page.getByRole('button', { name: 'Accept integers sent as text in level' }).click();
  await page.getByText('1 of 1 samples would pass').waitFor();
  await page.getByRole('button', { name: 'Declare and replay' }).click();
  await page.getByText('1 replayed, 0 still refused').waitFor();
  await page.getByRole('heading', { name: 'Mend and replay' }).waitFor({ state: 'detached' });
  // No reload: the page returns to all kinds, of which one waits, and follows the replayed event until it is stored.
  const sums = page.getByRole('region', { name: 'Replays of the last 24 hours' });
  await sums.getByText('1in quarantine+0replayed, on the way+1stored').waitFor();
  const counts = page.getByRole('table', { name: 'By type and reason' });
  await counts.getByRole('row', { name: 'wrong type' }).waitFor({ state: 'detached' });
  await counts.getByRole('row', { name: 'out of range' }).waitFor();
  await world.untilStored(441);
  // The other kind still waits, and the mended one does not.
  await visit(`/p/${world.projectId}/overview`);
  await page.getByText('event of level_up was rejected · out of range').waitFor();
  await page.getByText('wrong type').waitFor({ state: 'detached' });
  await world.call('POST /v1/quarantine/purge', { filter: {} });
  await page.getByText('no rejected event waits for a repair').waitFor();
});

test('says how many rejected events have no sample and cannot be replayed', async () => {
  const world = await seedProject('Unsampled');
  const { results } = await world.call<{ results: { id: string; reason: string }[] }>(
    'GET /v1/quarantine?type=level_up',
  );
  const ids = results.filter(({ reason }) => reason === 'range').map(({ id }) => id);
  await world.call('POST /v1/quarantine/purge', { filter: { ids } });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/quarantine`);
  await page.getByText('1 event has no sample and cannot be replayed').waitFor();
  const row = page
    .getByRole('table', { name: 'By type and reason' })
    .getByRole('row', { name: 'out of range' });
  // Rejected once, no sample, and one event without a sample.
  await row.getByText(/^1$/).nth(2).waitFor();
});

test('downloads what is kept, and discards what a filter shows after its name was typed', async () => {
  const world = await seedProject('Discarding');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/quarantine?type=level_up&kind=rejected`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const lines = await text(await file.createReadStream());
  expect(lines).toContain('must be an integer');
  expect(lines.trim().split('\n').at(-1)).toBe('{"complete":true}');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('level_up');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('2 events were discarded').waitFor();
  await page.getByText('must be an integer').waitFor({ state: 'detached' });
});

test('says in German what is wrong with an event, and what to do about it', async () => {
  const world = await seedProject('Deutsch');
  const { page, visit } = await openPage({ language: 'de-DE' });
  await visit(`/p/${world.projectId}/overview`);
  await page.getByText('von level_up wurde abgelehnt · falscher Typ').waitFor();
  await page.getByText('Was zu tun ist, Schritt für Schritt').first().click();
  await page.getByText('Öffnen Sie die Quarantäne').first().waitFor();
  await visit(`/p/${world.projectId}/quarantine?type=level_up&kind=rejected`);
  await page.getByRole('table', { name: 'Events' }).getByText('muss eine ganze Zahl sein').click();
  await page.getByText('falscher Typ /level muss eine ganze Zahl sein').waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/must be|typeMismatch/);
});
