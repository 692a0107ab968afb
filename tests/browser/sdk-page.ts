import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import type { Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { type ChaosProxy, createChaosProxy } from '../../clients/conformance/chaos-proxy.ts';
import { buildSdk } from '../../clients/typescript/build.ts';
import { newContext } from './open-page.ts';
import { createWorld, type World } from './world.ts';

/** The built SDK in pages of a game, which reach the product through a network that can fail. */
export interface SdkPages {
  readonly world: World;
  readonly proxy: ChaosProxy;
  /** Of the pages. */
  readonly origin: string;
  /** A public key of the world's project. */
  readonly key: string;
  /** A tab with the SDK in it; all tabs of a test share storage. */
  newTab(path?: string): Promise<Page>;
  setOffline(isOffline: boolean): Promise<void>;
  /** Rows of a query, once there are so many: queries see events a moment after they are stored. */
  rows<T>(sql: string, count: number): Promise<T[]>;
}

/** Serves pages of an origin of their own, as a game does. */
export async function openSdkPages(name: string): Promise<SdkPages> {
  const product = inject('product');
  const [world, proxy, origin] = await Promise.all([
    createWorld(name),
    createChaosProxy(product),
    servePages(),
  ]);
  const { text: key } = await world.call<{ text: string }>('POST /v1/keys', {
    kind: 'public',
    comment: name,
  });
  const context = await newContext();
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  onTestFinished(async () => {
    await context.close();
    await proxy.close();
    if (faults.length > 0) throw new Error(`errors in the page: ${faults.join(', ')}`);
  });
  return {
    world,
    proxy,
    origin,
    key,
    async newTab(path = '/') {
      const page = await context.newPage();
      await page.goto(origin + path);
      return page;
    },
    setOffline: (isOffline) => context.setOffline(isOffline),
    async rows<T>(sql: string, count: number) {
      const found = await waitUntil(
        async () => {
          const { data } = await world.call<{ data: T[] }>('POST /v1/query', { sql });
          return data.length >= count ? data : null;
        },
        { what: `${count} rows of ${sql}`, timeoutMs: 20_000, intervalMs: 250 },
      );
      return found ?? [];
    },
  };
}

/** `/` is an empty page with the script; `/examples/` are the examples as they are. */
async function servePages(): Promise<string> {
  const files = new Map<string, string>();
  for (const { name, text } of await buildSdk({ write: false })) files.set(`/dist/${name}`, text);
  files.set('/', '<!doctype html><title>Game</title><script src="/dist/tickrate.iife.js"></script>');
  const examples = join(import.meta.dirname, '../../clients/typescript/examples');
  files.set('/examples/sign-in.html', readFileSync(join(examples, 'sign-in.html'), 'utf8'));
  const server = createServer(({ url = '' }, response) => {
    const path = url.split('?', 1)[0] ?? '';
    const text = files.get(path);
    response.writeHead(text === undefined ? 404 : 200, {
      'Content-Type': path.endsWith('.js') ? 'text/javascript' : 'text/html',
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}
