import { type Finding, good, warning } from './finding.ts';

const mostSkewMs = 2_000;

export function checkClock(check: string, skewMs: number): Finding {
  const found = `${Math.abs(skewMs / 1000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(skewMs) <= mostSkewMs
    ? good(check, 'in step with this machine')
    : warning(check, found, 'Synchronise the clocks of both machines with NTP');
}
