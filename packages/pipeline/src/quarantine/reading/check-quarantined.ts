import { setImmediate } from 'node:timers/promises';
import { limits } from '@tickrate/contract';
import { RowWriter } from '@tickrate/events';
import type { Queryable } from '@tickrate/postgres';
import type { FindReplayType } from '../replays/find-replay-type.ts';
import { encodeRejected, neverReplayable, type ReplayRefusal } from '../samples/encode-rejected.ts';
import { findQuarantined } from './find-quarantined.ts';
import type { QuarantineFilter } from './quarantined.ts';
import { type KeptRejected, readRejected } from './read-quarantined.ts';

export interface CheckTools {
  readonly findType: FindReplayType;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What a replay would do with the newest rejected events. */
export interface QuarantineCheck {
  readonly checked: number;
  readonly passed: number;
  /** Checked events by the version that a replay validates them against. */
  readonly versions: ReadonlyMap<number, number>;
  /** False if older events match too, which were not checked. */
  readonly isComplete: boolean;
  /** The first 20 of those that do not pass. */
  readonly refusals: readonly (ReplayRefusal & { readonly id: string })[];
}

export const checkLimits = { events: 300, bytes: 4 * 1024 * 1024, ms: 5_000, refusals: 20 } as const;
const readAtATime = 50;

/** Sends and changes nothing. Yields between events, and stops at the first limit. */
export async function checkQuarantined(
  db: Queryable,
  { projectId, filter }: { readonly projectId: string; readonly filter: QuarantineFilter },
  { findType, now }: CheckTools,
): Promise<QuarantineCheck> {
  const page = await findQuarantined(db, {
    ...filter,
    projectId,
    kind: 'rejected',
    state: 'open',
    limit: checkLimits.events,
  });
  const ids = withinBytes(page.found);
  const until = now() + checkLimits.ms;
  const writer = new RowWriter();
  const versions = new Map<number, number>();
  const refusals: (ReplayRefusal & { readonly id: string })[] = [];
  let [checked, passed] = [0, 0];

  async function encode(event: KeptRejected): Promise<ReplayRefusal | null> {
    const { type, projectId, versionNamed, version } = event;
    const found = await findType(projectId ?? '', type ?? '', versionNamed ? version : null);
    if (found.ok) versions.set(found.type.version, (versions.get(found.type.version) ?? 0) + 1);
    writer.at = 0;
    return encodeRejected(writer, event, found);
  }

  for (let at = 0; at < ids.length && now() < until; at += readAtATime) {
    const events = await readRejected(db, ids.slice(at, at + readAtATime));
    for (const event of events.toSorted((a, b) => (a.id < b.id ? 1 : -1))) {
      if (now() >= until) break;
      const refusal = neverReplayable(event) ?? (await encode(event));
      checked += 1;
      if (refusal === null) passed += 1;
      else if (refusals.length < checkLimits.refusals) refusals.push({ id: event.id, ...refusal });
      await setImmediate();
    }
  }
  const isComplete = page.next === null && checked === page.found.length;
  return { checked, passed, versions, isComplete, refusals };
}

function withinBytes(found: readonly { readonly id: string; readonly bytes: number }[]): string[] {
  let bytes = 0;
  return found.flatMap((brief) => {
    // Of a larger event, only the beginning is kept.
    bytes += Math.min(brief.bytes, limits.eventBytes);
    return bytes <= checkLimits.bytes ? [brief.id] : [];
  });
}
