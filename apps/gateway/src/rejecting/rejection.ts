import { limits, type SystemError, systemError } from '@tickrate/contract';
import type { EventFault } from '@tickrate/events';

/** One fault as an answer lists it. */
export interface ReportedFault {
  readonly domain: 'event';
  readonly location: string;
  readonly locationType: 'body';
  readonly message: string;
  readonly reason: string;
}

/** A rejected element of a batch. */
export interface Rejection {
  readonly index: number;
  readonly errors: readonly ReportedFault[];
}

const reportedPerElement = 10;

/** Lists every rejected element with its faults. After many faults, further elements have only their first. */
export function createRejections() {
  const list: Rejection[] = [];
  let reported = 0;
  const mostFaults = () => (reported < limits.reportedFaults ? reportedPerElement : 1);
  return {
    list,
    /** How many faults of the next element the answer lists. */
    mostFaults,
    add(index: number, errors: readonly ReportedFault[]) {
      const shown = errors.slice(0, mostFaults());
      reported += shown.length;
      list.push({ index, errors: shown });
    },
  };
}

/** `base` is the pointer of the event within the body: '' for a single event, '/3' or '/3/event' within a batch. */
export function reportedFault(base: string, fault: EventFault): ReportedFault {
  return bodyFault(base + fault.pointer, fault.reason, fault.message);
}

export function bodyFault(location: string, reason: string, message: string): ReportedFault {
  return { domain: 'event', location, locationType: 'body', message, reason };
}

/** 8005 with every fault, up to the limit. */
export function doesNotMatch(faults: readonly ReportedFault[]): SystemError {
  const reported = faults.slice(0, limits.reportedFaults);
  const parameterName = reported[0]?.location ?? '';
  return systemError(
    'eventDoesNotMatchType',
    { parameterName, queryFailureErrors: reported },
    { fields: reported[0] === undefined ? '' : `${parameterName}: ${reported[0].message}` },
  );
}
