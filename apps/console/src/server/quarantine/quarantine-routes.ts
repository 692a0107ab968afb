import {
  createSchemaCheck,
  isPermitted,
  objectNotFound,
  parameterInvalid,
  personalScope,
} from '@tickrate/contract';
import {
  createFindReplayType,
  type Quarantined,
  type QuarantinedBrief,
  type QuarantineFilter,
} from '@tickrate/pipeline';
import type { ConsoleParts } from '../../parts.ts';
import { requireScope } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { notOfThisList } from '../calls/pages.ts';
import { streamLines } from '../calls/stream-lines.ts';
import { bucketLengths, countQuarantinedOverTime } from './quarantine-history-operations.ts';
import { quarantineOperations as operations } from './quarantine-operations.ts';

const isRecordId = createSchemaCheck(recordId);

export function createQuarantineRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...reading(parts), ...acting(parts)];
}

const longestRangeMs = 31 * 86_400_000;
const longestReplayMs = 86_400_000;

function reading({ quarantine, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(countQuarantinedOverTime, async ({ caller, query: { from, to, per = 'hour', type, reason } }) => {
      const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
      const lengthMs = range.toMs - range.fromMs;
      if (!(lengthMs > 0 && lengthMs <= longestRangeMs)) {
        throw parameterInvalid('to', 'must be after from, by at most 31 days');
      }
      const asked = { ...range, bucketSeconds: bucketLengths[per], type, reason };
      const buckets = await quarantine.buckets(caller.projectId, asked);
      return { results: buckets.map(withTimes) };
    }),
    managed(operations.countQuarantined, async ({ caller, query }) => {
      const counts = await quarantine.count(caller.projectId, filterOf(query));
      return { results: counts.map(({ projectId: _, ...count }) => withTimes(count)), next: null };
    }),
    managed(operations.countReplayed, async ({ caller, query: { since, ...filter } }) => {
      const earliestMs = now() - longestReplayMs;
      const sinceMs = Math.max(earliestMs, since === undefined ? earliestMs : Date.parse(since));
      return await quarantine.replays(caller.projectId, { ...filter, sinceMs });
    }),
    managed(operations.listQuarantined, async ({ caller, query: { cursor, limit = 50, ...filter } }) => {
      if (cursor !== undefined && !isRecordId.accepts(cursor)) throw notOfThisList();
      const page = { ...filterOf(filter), after: cursor, limit };
      const { found, next } = await quarantine.list(caller.projectId, page);
      const isShown = isPermitted(caller.scopes, personalScope);
      const results = found.map((one) => ({ ...showBrief(one), beginning: isShown ? one.beginning : null }));
      return { results, next };
    }),
    managed(operations.exportQuarantined, async ({ caller, context, query }) => {
      requireScope(caller, personalScope);
      const found = quarantine.export(caller.projectId, filterOf(query));
      return streamLines(context, (signal) => textsOf(found, signal));
    }),
    managed(operations.getQuarantined, async ({ caller: { projectId, scopes }, params }) => {
      const found = await quarantine.show(projectId, params.id);
      if (found === null) {
        throw objectNotFound('quarantined', params.id);
      }
      const shown = show(found);
      if (isPermitted(scopes, personalScope)) return shown;
      // The key of a session has the id of the session.
      const isSession = found.kind === 'rejected' && found.keyKind === 'session';
      const keyId = isSession ? null : shown.keyId;
      return { ...shown, keyId, texts: null, accountId: null, sessionId: null };
    }),
  ];
}

async function* textsOf(found: AsyncIterable<Quarantined>, signal: AbortSignal): AsyncGenerator<string> {
  for await (const one of found) {
    signal.throwIfAborted();
    yield JSON.stringify(show(one));
  }
}

function acting({ quarantine, registry, producer, newId }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.replayQuarantined, async ({ caller: { projectId }, body }) => {
      const { replayed, refused, refusals } = await quarantine.replay(
        { projectId, ...filterOf(body.filter) },
        {
          add: (chunk) => producer.add(chunk),
          findType: createFindReplayType((id) => registry.eventTypes(id)),
          newId,
        },
      );
      return { replayed, refused, refusals: refusals.map((refusal) => ({ ...refusal })) };
    }),
    managed(operations.purgeQuarantined, async ({ caller, body }) => {
      const purged = await quarantine.purge(caller.projectId, filterOf(body.filter));
      return { rejected: purged.rejected, deadLetters: purged.deadLetters, deadEvents: purged.deadRows };
    }),
  ];
}

interface AskedFilter extends Omit<QuarantineFilter, 'sinceMs' | 'untilMs'> {
  readonly since?: string;
  readonly until?: string;
}

function filterOf({ since, until, ...filter }: AskedFilter): QuarantineFilter {
  return {
    ...filter,
    ...(since !== undefined && { sinceMs: Date.parse(since) }),
    ...(until !== undefined && { untilMs: Date.parse(until) }),
  };
}

function showBrief(found: QuarantinedBrief) {
  const { id, kind, type, version, reason, message, pointer, rows: events, bytes, atMs, state } = found;
  return withTimes({ id, kind, type, version, reason, message, pointer, events, bytes, atMs, state });
}

function show(found: Quarantined) {
  if (found.kind === 'dead') {
    return {
      ...showBrief(found),
      truncated: false,
      keyId: null,
      accountId: null,
      sessionId: null,
      requestId: null,
      sdk: null,
      texts: found.events?.map(({ text }) => text) ?? null,
    };
  }
  const { truncated, keyId, accountId, sessionId, requestId, sdkName, sdkVersion } = found;
  return {
    ...showBrief(found),
    truncated,
    keyId,
    requestId,
    texts: [found.text],
    accountId: accountId === '' ? null : accountId,
    sessionId: sessionId === '' ? null : sessionId,
    sdk: sdkName === '' ? null : `${sdkName}/${sdkVersion}`,
  };
}
