/** How a process says why it ended; supervisors and operators read these. Signals end it with 128 + their number. */
export const exitCodes = {
  /** It was asked to stop and finished what it held. */
  stopped: 0,
  /** A component could not start: a port is taken, a store is away. */
  startFailed: 69,
  /** A fault that nothing caught. */
  internalFault: 70,
  /** It was asked to stop and the deadline passed with something unfinished. */
  stopTimedOut: 75,
  /** The configuration is not valid; nothing was connected. */
  configFault: 78,
} as const;
