import type { Page } from 'playwright-core';
import type { OpenPage } from './open-page.ts';
import { signUp } from './sign-up.ts';
import type { World } from './world.ts';

export interface StateCase {
  readonly name: string;
  /** The default is the first administrator of the product. */
  readonly role?: 'viewer';
  /** Brings the page into the state, and resolves when it is there. */
  readonly show: (opened: OpenPage, world: World) => Promise<unknown>;
}

/** What a page shows besides its main state: dialogs, nothing, refusals, faults. */
export const states: readonly StateCase[] = [
  {
    name: 'palette',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/overview`);
      await page.keyboard.press('Control+k');
      await dialog(page).waitFor();
    },
  },
  {
    name: 'keys-help',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/overview`);
      await page.keyboard.press('?');
      await dialog(page).waitFor();
    },
  },
  {
    name: 'live-event',
    show: async ({ page, visit }, world) => {
      await visit(`/p/${world.projectId}/live?types=purchase`);
      await page.getByText(/behind$/).waitFor();
      await world.send('purchase', [{ item: 'lantern', price: 3 }]);
      await page.getByRole('row').filter({ hasText: 'lantern' }).first().click();
      await page.getByRole('link', { name: 'Open the type' }).waitFor();
    },
  },
  {
    name: 'sql-result',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/sql`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('button', { name: 'Export' }).waitFor();
    },
  },
  {
    name: 'sql-refusal',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/sql?sql=${encodeURIComponent("SELECT file('/etc/passwd')")}`);
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'type-editor-fault',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/types/level_up?edit=true`);
      await page.getByRole('button', { name: 'Limits and description of level' }).click();
      await page.getByLabel('Largest value').fill('0');
      await page.getByText('is greater than maximum').first().waitFor();
    },
  },
  {
    name: 'player-ban',
    show: async (opened, world) => {
      await visitPlayer(opened, world);
      await opened.page.getByRole('button', { name: 'Ban', exact: true }).click();
      await dialog(opened.page).waitFor();
    },
  },
  {
    name: 'player-erase',
    show: async (opened, world) => {
      await visitPlayer(opened, world);
      await opened.page.getByRole('button', { name: 'Erase this player' }).click();
      await dialog(opened.page).waitFor();
    },
  },
  {
    name: 'player-unknown',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/players/u-nobody`);
      await page.getByRole('heading', { name: 'No player has this id' }).waitFor();
    },
  },
  {
    name: 'key-created',
    show: async ({ page, visit }, { projectId }) => {
      await visit(`/p/${projectId}/settings?part=keys`);
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Purpose').fill('Nightly build');
      await dialog(page).getByRole('button', { name: 'Create a key' }).click();
      await dialog(page).getByText(/^tk_/).first().waitFor();
    },
  },
  {
    name: 'dashboard-full',
    show: async ({ page, visit }, world) => {
      await visit(`/p/${world.projectId}/dashboards/${await makeDashboard(world)}`);
      await page.getByRole('button', { name: /full screen/i }).click();
      await page.locator('canvas').first().waitFor();
    },
  },
  {
    name: 'dashboard-shared',
    show: async ({ page, visit }, world) => {
      const id = await makeDashboard(world);
      const { token } = await world.call<{ token: string }>(`POST /v1/dashboards/${id}/shares`, {
        days: 1,
      });
      await visit(`/shared#${token}`);
      await page.locator('canvas').first().waitFor();
    },
  },
  { name: 'shared-ended', show: ({ visit }) => visit('/shared#ended') },
  { name: 'unknown-address', show: ({ visit }, { projectId }) => visit(`/p/${projectId}/nothing`) },
  { name: 'unknown-type', show: ({ visit }, { projectId }) => visit(`/p/${projectId}/types/nothing`) },
  {
    name: 'forbidden',
    role: 'viewer',
    show: ({ visit }, { projectId }) => visit(`/p/${projectId}/players`),
  },
  {
    name: 'failed',
    show: async ({ page, visit }, { projectId }) => {
      await page.route('**/v1/pipeline', (route) => route.fulfill({ status: 500, body: '{}' }));
      await visit(`/p/${projectId}/pipeline`);
      await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    },
  },
];

/** The states of a project that has nothing yet; the last one gives it its first event. */
export const emptyStates: readonly StateCase[] = [
  ...['overview', 'live', 'explore', 'dashboards', 'types', 'quarantine', 'players', 'pipeline'].map(
    (name): StateCase => ({
      name: `empty-${name}`,
      show: ({ visit }, { projectId }) => visit(`/p/${projectId}/${name}`),
    }),
  ),
  {
    name: 'first-event',
    show: async ({ page, visit }, world) => {
      await visit(`/p/${world.projectId}/overview`);
      await world.declare('level_up', { level: { type: 'integer' } });
      await world.send('level_up', [{ level: 1 }]);
      await page.getByRole('heading', { name: 'Your first event is here' }).waitFor();
    },
  },
];

function dialog(page: Page) {
  return page.getByRole('dialog');
}

async function visitPlayer({ visit }: OpenPage, world: World): Promise<void> {
  const player = await signUp(world, 'Ada');
  await player.send('level_up', { level: 3, score: 120, character: 'mage' });
  await visit(`/p/${world.projectId}/players/${player.accountId}`);
}

async function makeDashboard(world: World): Promise<string> {
  const volume = { name: 'volume', parameters: { per: 'hour' } };
  const breakdown = { name: 'breakdown', parameters: { type: 'level_up', member: 'character' } };
  const { id } = await world.call<{ id: string }>('POST /v1/dashboards', {
    name: 'Levels',
    content: {
      tiles: [
        { title: 'Events', chart: 'line', analysis: volume },
        { title: 'By character', chart: 'bar', analysis: breakdown },
      ],
    },
  });
  return id;
}
