/**
 * A browser without a language in its environment reports "en-US@posix", which is no language tag. uPlot formats numbers in the
 * browser's language while it loads, and fails with it.
 */
export function mendBrowserLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
  }
}
