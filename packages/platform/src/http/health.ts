import { systemError } from '@tickrate/contract';
import type { Express } from 'express';
import type { Health } from '../telemetry/health.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { answerJson, answerText } from './answers/answer.ts';

/** `/health/live` and `/health/ready` for everybody: whether, and not why. Put them after the hot routes. */
export function addHealthRoutes(app: Express, { health }: { readonly health: Health }): void {
  addLive(app);
  app.get('/health/ready', async (_request, response) => {
    const { ready } = await health.report();
    if (!ready) throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1 });
    answerJson(response, { ready });
  });
}

/** `/health/live`, `/health/ready` with every check, and `/metrics`: for the operator's own network. */
export function addOperatorRoutes(
  app: Express,
  { health, metrics }: { readonly health: Health; readonly metrics: Metrics },
): void {
  addLive(app);
  app.get('/health/ready', async (_request, response) => {
    const report = await health.report();
    if (!report.ready)
      throw systemError('temporarilyUnavailable', { retryAfterSeconds: 1, checks: report.checks });
    answerJson(response, report);
  });
  app.get('/metrics', async (_request, response) => {
    answerText(response, await metrics.text(), { contentType: metrics.contentType });
  });
}

function addLive(app: Express): void {
  app.get('/health/live', (_request, response) => answerJson(response, { live: true }));
}
