import type { PartialAnswer } from '@tickrate/contract';

export interface ImportTotals {
  readonly accepted: number;
  readonly rejected: number;
  readonly limitedTimes: number;
}

/** Why records were rejected, and the numbers of the first of them in the file. */
export interface RejectionReason {
  readonly reason: string;
  readonly count: number;
  readonly places: readonly number[];
}

export interface ReportedEvent {
  readonly type: string;
  /** The number of its record in the file. */
  readonly place: number;
}

export interface ImportReport {
  /** Adds an invalid record, which is not sent. */
  addInvalid(place: number, fault: string): void;
  /** Adds the answer to these events. */
  addAnswer(answer: PartialAnswer, events: readonly ReportedEvent[]): void;
  totals(): ImportTotals;
  /** The most frequent reason first. */
  reasons(): readonly RejectionReason[];
}

const mostPlaces = 10;
const mostReasons = 10;

export function createImportReport(): ImportReport {
  const totals = { accepted: 0, rejected: 0, limitedTimes: 0 };
  const reasons = new Map<string, { count: number; readonly places: number[] }>();

  function reject(reason: string, place: number | undefined): void {
    const known = reasons.get(reason) ?? { count: 0, places: [] };
    reasons.set(reason, known);
    totals.rejected += 1;
    known.count += 1;
    if (place !== undefined && known.places.length < mostPlaces) known.places.push(place);
  }

  return {
    addInvalid: (place, fault) => reject(fault, place),
    addAnswer(answer, events) {
      totals.accepted += answer.accepted;
      for (const { count } of answer.notices ?? []) totals.limitedTimes += count;
      for (const { index, errors } of answer.rejected) {
        const [first] = errors;
        const event = events[index];
        reject(`${event?.type} ${first?.location.replace(/^\/\d+/, '')}: ${first?.message}`, event?.place);
      }
    },
    totals: () => totals,
    reasons: () =>
      [...reasons]
        .map(([reason, known]) => ({ reason, ...known }))
        .toSorted((a, b) => b.count - a.count)
        .slice(0, mostReasons),
  };
}

/** The lines for people. `unit` names the places: lines, or rows of CSV, which can have several lines. */
export function reasonLines(reasons: readonly RejectionReason[], unit: 'line' | 'row'): string[] {
  return reasons.map(({ reason, count, places }) => {
    const more = count > places.length ? ', …' : '';
    const where =
      places.length === 0 ? '' : ` (${count > 1 ? `${unit}s` : unit} ${places.join(', ')}${more})`;
    return `${String(count).padStart(7)}  ${reason}${where}`;
  });
}
