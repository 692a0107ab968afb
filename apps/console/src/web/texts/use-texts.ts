import { usePreferences } from '../look/preferences.ts';
import { type Texts, textsIn } from './define-texts.ts';

export function useTexts<T>(texts: Texts<T>): T {
  return textsIn(texts, usePreferences().language);
}
