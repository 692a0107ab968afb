/**
 * A part of a process. `start` resolves when it is ready to be used and throws when it cannot be; `drain` takes no
 * more and resolves when what is held is finished; `stop` closes and resolves when nothing is left. A component
 * that was not started is neither drained nor stopped; each is called at most once, and none may wait for ever.
 */
export interface Component {
  readonly name: string;
  start?(): Promise<void>;
  drain?(): Promise<void>;
  stop?(): Promise<void>;
}
