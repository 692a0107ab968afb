import { usePreferences } from '../look/preferences.ts';
import type { Texts } from './define-texts.ts';

/** The texts in the language of the user. */
export function useTexts<T>(texts: Texts<T>): T {
  return texts[usePreferences().language];
}
