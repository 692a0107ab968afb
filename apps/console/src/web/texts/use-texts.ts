import { useMemo } from 'react';
import { usePreferences } from '../look/preferences.ts';
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
