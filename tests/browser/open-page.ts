import axeCore from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { type Administrator, openSession } from './open-session.ts';

declare global {
  // Set by the script of axe in the page.
  var axe: typeof import('axe-core');
}

let shared: Promise<Browser> | null = null;

/** A new profile in the browser of the run. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  shared ??= chromium.connect(inject('browserAddress'));
  const context = await (await shared).newContext(options);
  context.setDefaultTimeout(15_000);
  return context;
}

export interface OpenOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly language?: 'en-GB' | 'de-DE';
  /** The default is true. */
  readonly signedIn?: boolean;
  /** Another address of the console. */
  readonly origin?: string;
  /** Other origins to which its pages may send requests. */
  readonly others?: readonly string[];
  /** The default is the first administrator of the product. */
  readonly as?: Administrator;
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a path of the console and waits until everything on it is loaded. */
  visit(path: string): Promise<void>;
  /** Another tab with the same cookies. */
  newTab(): Promise<Page>;
}

/**
 * A page of the console, closed when the test ends. The test fails if the page sent a request to another origin than those
 * of the console and the gateway, violated its content policy (the browser logs that), or logged another error that is not a
 * refused call.
 */
export async function openPage(options: OpenOptions = {}): Promise<OpenPage> {
  const { theme = 'light', width = 1280, language = 'en-GB', signedIn = true } = options;
  const { origin = inject('product').console, others = [] } = options;
  const context = await newContext({
    baseURL: origin,
    locale: language,
    timezoneId: 'Europe/Berlin',
    colorScheme: theme,
    viewport: { width, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  });
  const faults: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url());
    const isOwn = [origin, inject('product').gateway, ...others].includes(target);
    if (protocol !== 'data:' && protocol !== 'blob:' && !isOwn) faults.push(`request to ${request.url()}`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
  context.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR_/.test(message.text()))
      faults.push(message.text());
  });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(context);
    await context.close();
    expect(faults).toEqual([]);
  });
  if (signedIn) await signIn(context, origin, options.as ?? inject('product').admin);
  const page = await context.newPage();
  return {
    page,
    context,
    async visit(path) {
      await page.goto(path);
      await page.locator('h1, main h2').first().waitFor();
      await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    },
    newTab: () => context.newPage(),
  };
}

/** Without it, a failure reports what was expected on a page but not what was there. */
async function printPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const shown = await page.locator('body').ariaSnapshot();
    process.stderr.write(`${page.url()} shows:\n${shown}\n`);
  }
}

/** Gives the context a session of its own: no other page of the run can switch its project or end it. */
async function signIn(context: BrowserContext, origin: string, as: Administrator): Promise<void> {
  const { name, value } = await openSession(origin, as);
  // Only by a secure address may a cookie be added whose name begins with `__Host-`.
  const url = origin.replace('http:', 'https:');
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }]);
}

/** Fails with every violation of WCAG 2.2 AA that axe finds in the page as it is, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  // Not a script element: the content policy permits none but ours.
  await page.evaluate(axeCore.source);
  // The header covers what is scrolled below it, which axe would call too small.
  await page.evaluate(() => scrollTo(0, 0));
  // A button that the last input enables is grey until the next frame.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  const light = await violationsIn(page, everyRule);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await violationsIn(page, rulesOfColours);
  await page.emulateMedia({ colorScheme: 'light' });
  expect({ light, dark }).toEqual({ light: [], dark: [] });
}

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Nothing else differs between the themes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

function violationsIn(page: Page, runOnly: string[]): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { violations } = await globalThis.axe.run(document, {
      runOnly: rules,
      // Describing what is right takes as long as finding what is wrong.
      resultTypes: ['violations'],
    });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    );
  }, runOnly);
}
