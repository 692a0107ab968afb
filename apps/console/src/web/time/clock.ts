/** The clock of the browser: the only place of the pages that reads it. */
export function nowMs(): number {
  return Date.now();
}
