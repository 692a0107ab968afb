import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { openPage } from './open-page.ts';
import { pages } from './pages.ts';
import { seedProject } from './seed-project.ts';
import { emptyStates, type StateCase, states } from './states.ts';
import { createWorld, type World } from './world.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const views = (['light', 'dark'] as const).flatMap((theme) =>
  [1280, 1920].map((width) => ({ theme, width })),
);

/** `npm run console:screenshots`: every page, in both themes, at two widths. */
test.each(views)('photographs every page: $theme $width', async ({ theme, width }) => {
  mkdirSync(folder, { recursive: true });
  const world = await seedProject();
  const { page, visit } = await openPage({ theme, width });
  if (width > 1280) await page.setViewportSize({ width, height: 1080 });
  for (const { name, path, heading } of pages) {
    await visit(`/p/${world.projectId}/${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
  }
});

/** Their dialogs, refusals and faults, and a project without events, at the smaller width. */
test.each(['light', 'dark'] as const)('photographs every state: %s', async (theme) => {
  mkdirSync(folder, { recursive: true });
  const photograph = async (world: World, { name, role, show }: StateCase) => {
    const opened = await openPage({ theme, ...(role && { as: await world.join(role) }) });
    await show(opened, world);
    await opened.page.screenshot({ path: join(folder, `${name}-${theme}-1280.png`) });
    await opened.context.close();
  };
  const world = await seedProject();
  for (const state of states) await photograph(world, state);
  const empty = await createWorld('New game');
  for (const state of emptyStates) await photograph(empty, state);
});
