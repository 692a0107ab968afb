import { SystemError } from '@tickrate/contract';
import { appendRow, createRowFrame, type EventIds, type RowFrame, type RowWriter } from '@tickrate/events';
import type { KeptRejected } from '../reading/read-quarantined.ts';
import type { ReplayType } from '../replays/find-replay-type.ts';

/** Why an event is not replayed. */
export interface ReplayRefusal {
  readonly reason: string;
  readonly pointer: string;
  readonly message: string;
}

/** Events that can never be replayed: only a part is kept, or the kept part is not one event. */
export function neverReplayable({ form, truncated }: KeptRejected): ReplayRefusal | null {
  if (truncated) return notReplayable('only its beginning was kept');
  return form === 'event' ? null : notReplayable('what was kept is no event');
}

/**
 * Appends the row of a rejected event, with its own times, sender and id. An event without an id uses its id in the
 * quarantine. Returns null if the row was appended.
 */
export function encodeRejected(
  writer: RowWriter,
  event: KeptRejected,
  found: ReplayType,
): ReplayRefusal | null {
  if (!found.ok) return { reason: found.reason, pointer: '', message: found.message };
  const frame = createRowFrame({ ...event, projectId: event.projectId ?? '' }, found.type);
  try {
    if (append(writer, frame, { event, source: event.raw }) === event.raw.length) return null;
    return explain(writer, frame, event);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { reason: error.reason, pointer: '', message: error.fields ?? error.message };
  }
}

function explain(writer: RowWriter, frame: RowFrame, event: KeptRejected): ReplayRefusal | null {
  const explanation = frame.codec.explain(event.raw, 0, 1);
  if (explanation.kind === 'faults') {
    const [fault] = explanation.faults;
    return {
      reason: fault?.reason ?? '',
      pointer: fault?.pointer ?? '',
      message: fault?.message ?? '',
    };
  }
  const { source } = explanation.kind === 'respelled' ? explanation : { source: null };
  if (source !== null && append(writer, frame, { event, source }) === source.length) return null;
  return { reason: 'tooLong', pointer: '', message: 'is larger than the limit of an event' };
}

function append(
  writer: RowWriter,
  frame: RowFrame,
  { event, source }: { readonly event: KeptRejected; readonly source: Buffer },
): number {
  const { id, eventId, occurredMs } = event;
  return appendRow(writer, frame, { source, at: 0, envelope: { eventId: eventId ?? id, occurredMs }, ids });
}

// Every replayed event has an id.
const ids: EventIds = {
  write() {
    throw new Error('A replayed event has no id');
  },
};

function notReplayable(message: string): ReplayRefusal {
  return { reason: 'notReplayable', pointer: '', message };
}
