import type { Answer } from '../clickhouse.ts';
import { faultClass } from '../fault-class.ts';

export type InsertOutcome =
  /** All rows are stored, by this call or by an earlier one with the same token. */
  | { readonly kind: 'stored' }
  /**
   * Not known to be stored: retry the same rows with the same token. `known` is false for an unclassified code, which
   * raises an alarm.
   */
  | { readonly kind: 'transient'; readonly code: string; readonly known: boolean; readonly message: string }
  /**
   * Nothing is stored, and these rows can never be stored. `row` is where ClickHouse stopped reading, counted from 0
   * over the whole body: that row is invalid, or an earlier row whose bytes made the rest unreadable.
   */
  | {
      readonly kind: 'data';
      readonly code: string;
      readonly row: number | null;
      readonly message: string;
    }
  /** Nothing is stored, and no row is invalid: the tables do not match. */
  | { readonly kind: 'schema'; readonly code: string; readonly message: string };

export function readInsertAnswer(answer: Answer): InsertOutcome {
  const message = answer.text.trim();
  if (answer.exceptionCode !== null) return readException(answer.exceptionCode, message);
  if (answer.status !== 200) {
    return { kind: 'transient', code: `HTTP_${answer.status}`, known: answer.status >= 500, message };
  }
  // The "200 OK" of a proxy or of another service stores nothing.
  if (!answer.isClickHouse) return { kind: 'transient', code: 'NOT_CLICKHOUSE', known: false, message };
  return { kind: 'stored' };
}

function readException(code: string, message: string): InsertOutcome {
  switch (faultClass(Number(code))) {
    case 'data':
      return { kind: 'data', code, row: rowAtFault(message), message };
    case 'schema':
      return { kind: 'schema', code, message };
    case 'transient':
      return { kind: 'transient', code, known: true, message };
    default:
      return { kind: 'transient', code, known: false, message };
  }
}

/** ClickHouse reports the row only in its message, counted from 1. */
function rowAtFault(message: string): number | null {
  const row = /\(at row (\d+)\)/.exec(message)?.[1];
  return row === undefined ? null : Number(row) - 1;
}
