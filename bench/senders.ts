import { drive } from './drive.ts';
import type { LoadOrder, LoadReport, LoadSender } from './load-generator.ts';
import { sampleType } from './sample-events.ts';
import type { Stack } from './stack.ts';

export const batch = 100;

export function batchSender(
  { apiKey }: { readonly apiKey: string },
  type: string = sampleType.name,
): LoadSender {
  return { path: `/v1/event/batchInsert?eventType=${type}`, apiKey };
}

/** Sends batches of a hundred events to the gateway of the stack. */
export function sendBatches(
  stack: Pick<Stack, 'gatewayPort' | 'apiKey'>,
  order: Pick<LoadOrder, 'measureMs'> & Partial<LoadOrder>,
): Promise<LoadReport> {
  const senders = [batchSender(stack)];
  return drive('load-generator.ts', {
    port: stack.gatewayPort,
    senders,
    connections: 16,
    batch,
    warmupMs: 0,
    ...order,
  });
}
