import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { usePreferences } from '../look/preferences.ts';
import { createFormats, type Formats } from '../time/format-values.ts';
import { commonTexts } from './common-texts.ts';
import { type Texts, textsIn, type Words } from './define-texts.ts';

/** The words of a page, and the common ones that it does not define itself. */
export function useTexts<T>(texts: Texts<T>): T & Omit<Words<typeof commonTexts>, keyof T> {
  const { language } = usePreferences();
  return useMemo(
    () => ({ ...textsIn(commonTexts, language), ...textsIn(texts, language) }),
    [texts, language],
  );
}

/** Numbers, and times in the zone of the page, as the user's language writes them. */
export function useFormats(): Formats {
  const { zone = 'UTC' } = useSearch({ strict: false });
  const { language } = usePreferences();
  return useMemo(() => createFormats(language, zone), [language, zone]);
}
