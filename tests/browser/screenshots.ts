import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { openPage } from './open-page.ts';
import { pages } from './pages.ts';
import { seedProject } from './seed-project.ts';
import { emptyStates, type StateCase, states } from './states.ts';
import { createWorld, type World } from './world.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const views = [
  ...(['light', 'dark'] as const).flatMap((theme) =>
    [1280, 1920].map((width) => ({ theme, width, language: 'en-GB' as const })),
  ),
  { theme: 'light', width: 1280, language: 'de-DE' },
] as const;

/** `npm run console:screenshots`: every page, in both themes, at two widths, and in German. */
test.each(views)('photographs every page: $theme $width $language', async ({ theme, width, language }) => {
  mkdirSync(folder, { recursive: true });
  const world = await seedProject();
  const { page, visit } = await openPage({ theme, width, language });
  const suffix = language === 'en-GB' ? '' : '-de';
  if (width > 1280) await page.setViewportSize({ width, height: 1080 });
  for (const { name, path, heading } of pages) {
    await visit(`/p/${world.projectId}/${path}`);
    await page.getByRole('heading', { level: 1, ...(suffix === '' && { name: heading }) }).waitFor();
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}${suffix}.png`) });
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
