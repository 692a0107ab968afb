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

/** The time range and the time zone of the page, which are in its address. */
export function useTime() {
  const { range, zone } = useRangeAndZone();
  const navigate = useNavigate();
  return useMemo(() => {
    /** The times of the range now. */
    const resolve = () => resolveRange(range, nowMs());
    const setRange = (text: string) =>
      void navigate({ to: '.', search: (search) => ({ ...search, range: text }), hash: true });
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
  }, [range, zone, navigate]);
}

/** Of a page of a project, or of a shared dashboard. */
function useRangeAndZone(): { readonly range: string; readonly zone: string } {
  const { range = defaultRange, zone = 'UTC' } = useSearch({ strict: false });
  return { range, zone };
}

export function useFormats(): Formats {
  const { zone } = useRangeAndZone();
  const { language } = usePreferences();
  return useMemo(() => createFormats(language, zone), [language, zone]);
}
