import type { LoadSender } from './load-generator.ts';
import { sampleType } from './sample-events.ts';

export function batchSender(
  { apiKey }: { readonly apiKey: string },
  type: string = sampleType.name,
): LoadSender {
  return { path: `/v1/event/batchInsert?eventType=${type}`, apiKey };
}

export function singleSender({ apiKey }: { readonly apiKey: string }): LoadSender {
  return { path: `/v1/event/insert?eventType=${sampleType.name}`, apiKey };
}
