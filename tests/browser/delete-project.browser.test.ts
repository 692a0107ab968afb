import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

// Invariant (Management): A project is deleted on its settings page once its name is typed, and the page continues in another
// project, which shows the certificate
test('an owner deletes a project with its name typed, and reads the certificate in another project', async () => {
  const world = await createWorld('Doomed');
  await world.declare('jump', { height: { type: 'integer' } });
  await world.send('jump', [{ height: 1 }, { height: 2 }]);
  await world.untilStored(2);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/settings`);
  await page.getByRole('button', { name: 'Delete the project' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete the project' });
  await dialog.getByRole('textbox').fill('Doome');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('Doomed');
  await expectAccessible(page);
  await confirm.click();
  await page.waitForURL((url) => !url.pathname.includes(world.projectId) && url.pathname.startsWith('/p/'));
  await expect(world.call('GET /v1/projects')).rejects.toThrow();

  const [, , elsewhere] = new URL(page.url()).pathname.split('/');
  await visit(`/p/${elsewhere}/settings?part=erasures`);
  const table = page.getByRole('region', { name: 'Deleted projects' });
  const row = table.getByRole('row').filter({ hasText: world.projectId });
  await waitUntil(
    async () => {
      if ((await row.count()) > 0 && ((await row.textContent()) ?? '').includes('erased')) return true;
      await page.reload();
      await row.waitFor();
      return false;
    },
    { what: 'the end of the deletion', timeoutMs: 60_000 },
  );
  await row.click();
  const certificate = JSON.parse((await page.getByRole('dialog').locator('pre').textContent()) ?? '');
  expect(certificate).toMatchObject({
    projectId: world.projectId,
    accountHash: null,
    removed: { events: { jump: 2 }, account: { projects: 1 } },
    remaining: { events: {}, account: {} },
  });
}, 120_000);
