import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, hasProgram, waitUntil } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { findFreePorts, killProcessesOf, startStandaloneWith } from './standalone-run.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'tickrate-traces-'));
const spans: (SentSpan & { readonly service: string })[] = [];
const receiver = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
  for (const { resource, scopeSpans } of body.resourceSpans) {
    const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value
      .stringValue;
    for (const scope of scopeSpans)
      spans.push(...scope.spans.map((span: SentSpan) => ({ ...span, service })));
  }
  response.setHeader('Content-Type', 'application/json').end('{}');
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

afterAll(async () => {
  killProcessesOf(folder);
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** The collector of docker-compose.yml with its configuration, between the product and the receiver. */
async function startCollector(): Promise<string> {
  const port = await findFreePort();
  const file = join(folder, 'collector.yml');
  const shipped = readFileSync(join(import.meta.dirname, '../deploy/collector/collector.yml'), 'utf8');
  const local = `${receiverUrl}, encoding: json, compression: none }`;
  writeFileSync(
    file,
    shipped
      .replace('0.0.0.0:4318', `127.0.0.1:${port}`)
      .replace(/otlphttp:\n\s+endpoint: \S+/, `otlphttp: { endpoint: ${local}`),
  );
  spawn('otelcol', [`--config=${file}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { what: 'the collector' },
  );
  return url;
}

test('the trace of a game leads from its call through queue and worker to the insert, and one of its players to sign-in', async () => {
  const withCollector = hasProgram('otelcol');
  if (!withCollector) process.stderr.write('SKIPPED: the collector between (no otelcol on the PATH)\n');
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: withCollector ? await startCollector() : receiverUrl };
  const run = startStandaloneWith(environment, join(folder, 'data'), '--port', String(await findFreePorts()));
  await run.ready();
  const { gateway, auth, keys } = run.file();
  const headers = {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    'Content-Type': 'application/json',
    'X-API-Key': keys.public,
  };
  const event = await fetch(`${gateway}/v1/event/insert?eventType=level_up`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ level: 7, character: 'ranger', seconds_in_level: 412.5 }),
  });
  expect(event.status).toBe(200);
  const signedIn = await fetch(`${auth}/2018-03-24/authenticate`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ tokens: { deviceTokens: [{ deviceId: 'new' }] } }),
  });
  expect(signedIn.status).toBe(200);

  const ofTrace = () => spans.filter((span) => span.traceId === traceId);
  const find = (service: string, name: RegExp) =>
    ofTrace().find((span) => span.service === `tickrate-${service}` && name.test(span.name));
  await waitUntil(() => find('worker', /^INSERT clickhouse$/) && find('auth', /^PUT .*authenticate$/), {
    what: 'the spans of the insert and the sign-in',
  });
  const request = find('gateway', /^PUT \/v1\/event/);
  const sent = find('gateway', /^send /);
  const delivered = find('worker', /^deliver /);
  expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7' });
  expect(sent).toMatchObject({ parentSpanId: request?.spanId });
  expect(delivered).toMatchObject({ parentSpanId: sent?.spanId });
});
