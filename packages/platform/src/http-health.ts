import { systemError } from '@tickrate/contract';
import type { Express } from 'express';
import type { Health } from './health.ts';
import { answerJson, answerText } from './http-answer.ts';
import type { Metrics } from './metrics.ts';

const notReadyRetrySeconds = 1;

/** `/health/live`, `/health/ready` and `/metrics`. Put them after the hot routes. */
export function addHealthRoutes(
  app: Express,
  { health, metrics }: { health: Health; metrics: Metrics },
): void {
  app.get('/health/live', (_request, response) => {
    answerJson(response, { live: true });
  });
  app.get('/health/ready', async (_request, response) => {
    const report = await health.report();
    if (!report.ready) {
      throw systemError('temporarilyUnavailable', {
        retryAfterSeconds: notReadyRetrySeconds,
        checks: report.checks,
      });
    }
    answerJson(response, report);
  });
  app.get('/metrics', async (_request, response) => {
    answerText(response, await metrics.text(), { contentType: metrics.contentType });
  });
}
