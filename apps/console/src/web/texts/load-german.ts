import { setGerman } from './define-texts.ts';

let loading: Promise<void> | null = null;

/** Loads German, once. If that fails, the pages stay English until they are loaded again. */
export function loadGerman(): Promise<void> {
  loading ??= import('./german.ts').then(setGerman, () => undefined);
  return loading;
}
