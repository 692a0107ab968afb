import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { openPage } from './open-page.ts';
import { pages } from './pages.ts';
import { seedProject } from './seed-project.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const views = (['light', 'dark'] as const).flatMap((theme) =>
  [1280, 1920].map((width) => ({ theme, width })),
);

/** `npm run console:screenshots`: every page, in both themes, at two widths. */
test.each(views)('photographs every page: $theme $width', async ({ theme, width }) => {
  mkdirSync(folder, { recursive: true });
  const world = await seedProject();
  const { page, visit } = await openPage({ theme, width });
  for (const { name, path, heading } of pages) {
    await visit(`/p/${world.projectId}/${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
  }
});
