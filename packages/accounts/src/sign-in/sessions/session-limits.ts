const hourMs = 3_600_000;

/** How long a session lasts: an hour from its last renewal, up to an absolute end. */
export const sessionLimits = {
  renewalMs: hourMs,
  playerMs: 30 * 24 * hourMs,
  administratorMs: 12 * hourMs,
} as const;
