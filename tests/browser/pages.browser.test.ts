import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { pages } from './pages.ts';
import { seedProject } from './seed-project.ts';

// Invariant (Management): A page or dialog sends no request to another origin, violates no content policy,
// and has no accessibility fault in either theme
test('no page has an accessibility fault, in either theme', async () => {
  const world = await seedProject();
  const { page, visit } = await openPage();
  for (const { path, heading } of pages) {
    await visit(`/p/${world.projectId}/${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await expectAccessible(page);
  }
}, 120_000);

test('every page speaks German, and fits a phone', async () => {
  const world = await seedProject();
  const { page, visit } = await openPage({ language: 'de-DE' });
  for (const { path } of pages) {
    await visit(`/p/${world.projectId}/${path}`);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('navigation', { name: 'Seiten' }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    const beyond = () => page.evaluate(widthBeyond);
    await expect.poll(beyond, { message: path }).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

/** In pixels: of the page, and of each table, which scrolls by itself. */
function widthBeyond(): number {
  const scrolled = [document.documentElement, ...document.querySelectorAll('[role=table]')];
  return Math.max(...scrolled.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
}
