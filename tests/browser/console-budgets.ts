import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import chromium from '@sparticuz/chromium';
import { waitUntil } from '@tickrate/testkit';
import { type Page, chromium as playwright } from 'playwright-core';
import { findFreePorts, killProcessesOf, type StandaloneFacts, startStandalone } from '../standalone-run.ts';
import { countBlankRows } from './blank-rows.ts';
import { readFrameRate, readHeapBytes, startFrameRate } from './frame-rate.ts';
import { links } from './pages.ts';

/*
 * `npm run console:budgets -- --minutes 10`: starts the product with the demo, measures what the pages promise, and prints
 * each target with its figure. Exits with 1 if a target is missed and `--strict` is given.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '2000' },
    strict: { type: 'boolean', default: false },
  },
});

interface Figure {
  readonly what: string;
  readonly target: string;
  readonly figure: string;
  readonly isMet: boolean;
}

interface Place {
  readonly page: Page;
  readonly facts: StandaloneFacts;
  readonly projectId: string;
}

const tileTypes = ['session_start', 'level_up', 'match_finished', 'purchase'];
const partsPerSecond = 4;

const parent = mkdtempSync(join(tmpdir(), 'tickrate-budgets-'));
const folder = join(parent, 'data');
const run = startStandalone(folder, '--port', String(await findFreePorts()), '--demo');
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
});
try {
  await run.ready();
  const figures = await measure(run.file());
  for (const line of linesOf(figures)) process.stdout.write(`${line}\n`);
  if (values.strict && figures.some(({ isMet }) => !isMet)) process.exitCode = 1;
} finally {
  await browser.close();
  run.process.kill('SIGTERM');
  await run.exit();
  killProcessesOf(parent);
  rmSync(parent, { recursive: true, force: true });
}

async function measure(facts: StandaloneFacts): Promise<Figure[]> {
  const context = await browser.newContext({
    baseURL: facts.console,
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(`/sign-in?next=/p/${facts.projectId}/overview`);
  await page.getByLabel('E-mail address').fill(facts.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(facts.admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const place = { page, facts, projectId: await untilTour() };
  await untilDemoArrived(place);
  await page.goto(`/p/${place.projectId}/overview`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return [
    ...(await pagesFromClicks(place)),
    await dashboard(place),
    await rowsOfResult(place),
    ...(await live(place)),
  ];
}

/** The figures are those of the whole demo: its past events arrive in the first minute. */
async function untilDemoArrived({ page, facts }: Place): Promise<void> {
  const isThere = async (project: string) => {
    const headers = { 'X-Tickrate-Console': '1', 'X-Tickrate-Project': project };
    const answer = await fetch('/v1/demo', { headers });
    const { state }: { readonly state?: string } = await answer.json();
    return state === 'live';
  };
  await page.waitForFunction(isThere, facts.projectId, { polling: 1_000, timeout: 300_000 });
}

/** `npm start` prints the addresses of the tour, a moment after it is ready. */
async function untilTour(): Promise<string> {
  const found = await waitUntil(() => /\/p\/(p-[a-z0-9]{12})\/quarantine/.exec(run.output())?.[1], {
    what: 'the tour of the demo',
    timeoutMs: 60_000,
  });
  return found ?? '';
}

/** Twice: the first click loads the script of a page. */
async function pagesFromClicks({ page }: Place): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const round of ['first click', 'again']) {
    let slowest = { name: '', ms: 0 };
    for (const name of links) {
      const ms = await timeOf(async () => {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
        await untilLoaded(page);
      });
      if (ms > slowest.ms) slowest = { name, ms };
    }
    figures.push({
      what: `slowest page, ${round}: ${slowest.name}`,
      target: '≤ 1,000 ms',
      figure: `${Math.round(slowest.ms)} ms`,
      isMet: slowest.ms <= 1_000,
    });
  }
  return figures;
}

async function dashboard({ page, projectId }: Place): Promise<Figure> {
  const tiles = Array.from({ length: 8 }, (_, index) => ({
    title: `Events ${index + 1}`,
    chart: 'line',
    // Tiles with one question would ask it once.
    analysis: {
      name: 'volume',
      parameters: { per: index < 4 ? 'day' : 'hour', types: [tileTypes[index % 4]] },
    },
    position: { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, width: 3, height: 4 },
  }));
  const id = await page.evaluate(
    async ([project, sent]) => {
      const answer = await fetch('/v1/dashboards', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'X-Tickrate-Console': '1',
          'X-Tickrate-Project': project,
        },
        body: JSON.stringify({ name: 'Eight tiles', content: { tiles: sent } }),
      });
      const made: { readonly id?: string; readonly fields?: string } = await answer.json();
      return made.id ?? `${answer.status} ${made.fields}`;
    },
    [projectId, tiles] as const,
  );
  const ms = await timeOf(async () => {
    await page.goto(`/p/${projectId}/dashboards/${id}?range=30d`);
    await page.locator('figure').nth(7).waitFor();
    await untilLoaded(page);
  });
  return {
    what: 'dashboard of eight tiles, with the page itself',
    target: '≤ 3,000 ms',
    figure: `${Math.round(ms)} ms`,
    isMet: ms <= 3_000,
  };
}

/** Looks at the table after each step of a scroll: a row must be where the table is. */
async function rowsOfResult({ page, projectId }: Place): Promise<Figure> {
  const sql = 'SELECT number AS n, toString(number) AS text FROM numbers(100000)';
  await page.goto(`/p/${projectId}/sql?${new URLSearchParams({ sql })}`);
  await page.getByRole('textbox', { name: 'SQL statement' }).focus();
  await page.keyboard.press('Control+Enter');
  const table = page.getByRole('table', { name: 'Result' });
  await table.getByRole('row').nth(3).waitFor();
  const blanks = await countBlankRows(table, 200);
  return {
    what: '100,000 rows of a result, 200 jumps',
    target: '0 blanks',
    figure: `${blanks} blanks`,
    isMet: blanks === 0,
  };
}

async function live(place: Place): Promise<Figure[]> {
  const { page, projectId } = place;
  await page.goto(`/p/${projectId}/live`);
  await page.getByText(/behind$/).waitFor();
  const load = sendFor(place, Number(values.minutes) * 60_000);
  await page.getByText(/left out$/).waitFor();
  const before = await readHeapBytes(page);
  await startFrameRate(page);
  const sent = await load;
  const { perSecond, longestMs } = await readFrameRate(page);
  const grown = ((await readHeapBytes(page)) - before) / 1024 / 1024;
  const what = `live for ${values.minutes} min at ${Math.round(sent)} events/s`;
  return [
    {
      what: `${what}: frames per second`,
      target: '≥ 50',
      figure: `${perSecond.toFixed(1)}, longest ${Math.round(longestMs)} ms`,
      isMet: perSecond >= 50,
    },
    {
      what: `${what}: heap after it`,
      target: '≤ +10 MiB',
      figure: `${grown >= 0 ? '+' : ''}${grown.toFixed(1)} MiB`,
      isMet: grown <= 10,
    },
  ];
}

/** Sends from this process, so that the page does not work for it. Resolves with the events per second that were accepted. */
async function sendFor({ facts, page, projectId }: Place, durationMs: number): Promise<number> {
  const key = await page.evaluate(async (project) => {
    const answer = await fetch('/v1/keys', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Tickrate-Console': '1',
        'X-Tickrate-Project': project,
      },
      body: JSON.stringify({ kind: 'administrative', comment: 'budgets', scopes: [] }),
    });
    const made: { readonly text?: string } = await answer.json();
    return made.text ?? '';
  }, projectId);
  const count = Math.round(Number(values.rate) / partsPerSecond);
  const body = JSON.stringify(
    Array.from({ length: count }, (_, index) => ({ level: 1 + (index % 30), character: 'ranger' })),
  );
  const startedMs = performance.now();
  let accepted = 0;
  for (let part = 0; performance.now() - startedMs < durationMs; part += 1) {
    const dueMs = startedMs + (part * 1_000) / partsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    const url = `${facts.gateway}/v1/event/batchInsert?eventType=level_up`;
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const answer = await fetch(url, { method: 'PUT', headers, body });
    if (answer.ok) accepted += count;
    await answer.body?.cancel();
  }
  return (accepted * 1_000) / (performance.now() - startedMs);
}

async function untilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function linesOf(figures: readonly Figure[]): string[] {
  const width = Math.max(...figures.map(({ what }) => what.length));
  return figures.map(
    ({ what, target, figure, isMet }) =>
      `${isMet ? 'ok    ' : 'missed'}  ${what.padEnd(width)}  ${target.padEnd(10)}  ${figure}`,
  );
}
