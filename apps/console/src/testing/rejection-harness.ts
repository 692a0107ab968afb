import { randomBytes } from 'node:crypto';
import { createRecordId } from '@tickrate/contract';
import { createQuarantine } from '@tickrate/pipeline';
import type { ManagedProject } from './console-harness.ts';

export interface Rejecting {
  readonly postgresUrl: string;
  readonly type: string;
  readonly nowMs: number;
  /** Without one, the project's key sent them. */
  readonly sessionId?: string;
  readonly accountId?: string;
  readonly clientAddress?: string;
  readonly versionNamed?: boolean;
}

let flushes = 0;

/** Reports rejected events as a gateway does. Returns their ids. */
export async function rejectEvents(
  { projectId, keyId }: Pick<ManagedProject, 'projectId' | 'keyId'>,
  texts: readonly string[],
  {
    postgresUrl,
    type,
    nowMs,
    sessionId = '',
    accountId = 'u-bo',
    clientAddress = '',
    versionNamed = false,
  }: Rejecting,
): Promise<string[]> {
  const quarantine = createQuarantine({ postgresUrl });
  const kind = { projectId, type, version: 1, reason: 'range' };
  flushes += 1;
  const samples = texts.map((text) => ({
    ...kind,
    id: createRecordId(nowMs, randomBytes),
    versionNamed,
    pointer: '/level',
    message: 'must be between 1 and 9',
    form: 'event' as const,
    raw: Buffer.from(text),
    bytes: text.length,
    keyId: sessionId === '' ? keyId : sessionId,
    keyLine: keyId,
    keyKind: sessionId === '' ? ('public' as const) : ('session' as const),
    sessionId,
    accountId,
    clientAddress,
    sdkName: '',
    sdkVersion: '',
    requestId: 'r',
    eventId: null,
    receivedMs: nowMs,
    occurredMs: null,
    skewMs: 0,
  }));
  const counts = [{ ...kind, events: samples.length, firstMs: nowMs, lastMs: nowMs }];
  await quarantine.keepRejections({ producer: 'gateway-1', number: flushes, counts, samples });
  await quarantine.close();
  return samples.map(({ id }) => id);
}
