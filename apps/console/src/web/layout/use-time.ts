import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { nowMs } from '../time/clock.ts';
import {
  defaultRange,
  fixedRangeText,
  type ResolvedRange,
  resolveRange,
  timesOf,
} from '../time/time-range.ts';
import { useChangeSearch } from './use-change-search.ts';

/** The time range and the time zone of the page, which are in its address. */
export function useTime() {
  const { range = defaultRange, zone = 'UTC' } = useSearch({ strict: false });
  const changeSearch = useChangeSearch();
  return useMemo(() => {
    /** The times of the range now. */
    const resolve = () => resolveRange(range, nowMs());
    const setRange = (text: string) => changeSearch({ range: text });
    return {
      /** As in the address: `24h`. The identity of the range for `useCall`. */
      range,
      zone,
      resolve,
      /** For `from` and `to` of a call. */
      times: () => timesOf(resolve()),
      setRange,
      /** After a drag over a chart. */
      zoom: (chosen: ResolvedRange) => setRange(fixedRangeText(chosen)),
    };
  }, [range, zone, changeSearch]);
}

const hourMs = 3_600_000;

/** The length of the range in hours, for what is kept no longer than a day. */
export function useHours(): number {
  const { fromMs, toMs } = useTime().resolve();
  return Math.min(24, Math.max(1, Math.ceil((toMs - fromMs) / hourMs)));
}
