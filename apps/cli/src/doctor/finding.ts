import { ConfigFault } from '@tickrate/platform';

/** The longest wait for an answer. */
export const timeoutMs = 5_000;

/** The result of a check: one line, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly advice: string | null;
}

export function good(check: string, found: string): Finding {
  return { check, state: 'good', found, advice: null };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: 'warning', found, advice };
}

export function bad(check: string, found: string, advice: string): Finding {
  return { check, state: 'bad', found, advice };
}

/** The reason of an error, on one line; for a failed `fetch`, its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof ConfigFault)
    return error.faults.map(({ name, fault }) => `${name} ${fault}`).join('; ');
  if (!(error instanceof Error)) return firstLine(String(error));
  const { cause } = error;
  if (!(cause instanceof Error)) return firstLine(error.message);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : firstLine(cause.message);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

const mostSkewMs = 2_000;

export function checkClock(check: string, skewMs: number): Finding {
  const found = `${Math.abs(skewMs / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(skewMs) <= mostSkewMs
    ? good(check, 'in step with this machine')
    : warning(check, found, 'Synchronise the clocks of both machines with NTP');
}
