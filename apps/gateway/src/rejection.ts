import { type EventFault, limits, type SystemError, systemError } from '@tickrate/contract';

/** One fault as clients are told of it. */
export interface ReportedFault {
  readonly domain: 'event';
  readonly location: string;
  readonly locationType: 'body';
  readonly message: string;
  readonly reason: string;
}

/** An element of a batch that was not accepted. */
export interface Rejection {
  readonly index: number;
  readonly errors: readonly ReportedFault[];
}

/** `base` is the pointer of the event within the body: '' for a single event, '/3' or '/3/event' within a batch. */
export function reportedFault(base: string, fault: EventFault): ReportedFault {
  return {
    domain: 'event',
    location: base + fault.pointer,
    locationType: 'body',
    message: fault.message,
    reason: fault.reason,
  };
}

/** 8005 with every fault, up to the limit. */
export function doesNotMatch(faults: readonly ReportedFault[]): SystemError {
  const told = faults.slice(0, limits.reportedFaults);
  const parameterName = told[0]?.location ?? '';
  return systemError(
    'eventDoesNotMatchType',
    { parameterName, queryFailureErrors: told },
    { fields: told[0] === undefined ? '' : `${parameterName}: ${told[0].message}` },
  );
}
