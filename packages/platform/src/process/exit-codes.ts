/** How a process says why it ended; supervisors and operators read these. Signals end it with 128 + their number. */
export const exitCodes = {
  /** It received a stop signal and finished its work. */
  stopped: 0,
  /** A component could not start: a port is taken, a store is away. */
  startFailed: 69,
  /** A fault that nothing caught. */
  internalFault: 70,
  /** It received a stop signal, and the deadline passed before its work was finished. */
  stopTimedOut: 75,
  /** The configuration is not valid; nothing was connected. */
  configFault: 78,
} as const;
