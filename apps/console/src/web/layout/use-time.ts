import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePreferences } from '../look/preferences.ts';
import { nowMs } from '../time/clock.ts';
import { createFormats, type Formats } from '../time/format-values.ts';
import {
  defaultRange,
  fixedRangeText,
  type ResolvedRange,
  resolveRange,
  timesOf,
} from '../time/time-range.ts';

export interface TimeOfPage {
  /** As in the address: `24h`. The identity of the range for `useCall`. */
  readonly range: string;
  readonly zone: string;
  /** The times of the range now. */
  readonly resolve: () => ResolvedRange;
  /** For `from` and `to` of a call. */
  readonly times: () => { readonly from: string; readonly to: string };
  readonly setRange: (range: string) => void;
  /** After a drag over a chart. */
  readonly zoom: (range: ResolvedRange) => void;
}

/** The time range and the time zone of the page, which are in its address. */
export function useTime(): TimeOfPage {
  const { range, zone } = useRangeAndZone();
  const navigate = useNavigate();
  return useMemo(() => {
    const resolve = () => resolveRange(range, nowMs());
    const setRange = (text: string) =>
      void navigate({ to: '.', search: (search) => ({ ...search, range: text }), hash: true });
    return {
      range,
      zone,
      resolve,
      times: () => timesOf(resolve()),
      setRange,
      zoom: (chosen) => setRange(fixedRangeText(chosen)),
    };
  }, [range, zone, navigate]);
}

/** Of a page of a project, or of a shared dashboard. */
function useRangeAndZone(): { readonly range: string; readonly zone: string } {
  const { range = defaultRange, zone = 'UTC' } = useSearch({ strict: false });
  return { range, zone };
}

/** How numbers and times are written on this page. */
export function useFormats(): Formats {
  const { zone } = useRangeAndZone();
  const { language } = usePreferences();
  return useMemo(() => createFormats(language, zone), [language, zone]);
}
