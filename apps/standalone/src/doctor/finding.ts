/** What a check found: one line, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly state: 'good' | 'warning' | 'bad';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly advice: string | null;
}

export function good(check: string, found: string): Finding {
  return { check, state: 'good', found, advice: null };
}

export function warning(check: string, found: string, advice: string): Finding {
  return { check, state: 'warning', found, advice };
}

export function bad(check: string, found: string, advice: string): Finding {
  return { check, state: 'bad', found, advice };
}

/** The reason behind an error, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? '';
}
