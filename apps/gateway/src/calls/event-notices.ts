import type { ServerResponse } from 'node:http';
import type { EventNotice } from '@tickrate/contract';

export interface WithNotices {
  readonly notices?: readonly EventNotice[];
}

/** The member `notices` of an answer, which is absent if there are none. */
export function noticesOf(clamped: number): WithNotices {
  return clamped === 0 ? {} : { notices: [{ notice: 'occurredClamped', count: clamped }] };
}

/** The same for an answer that has no members. */
export function tellNotices(response: ServerResponse, clamped: number): void {
  if (clamped > 0) response.setHeader('X-Tickrate-Notices', `occurredClamped=${clamped}`);
}
