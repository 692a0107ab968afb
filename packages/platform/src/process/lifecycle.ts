import { ConfigFault } from '../config/config.ts';
import type { ProcessEvents } from '../telemetry/process-events.ts';

export interface LifecycleOptions {
  readonly components: readonly Component[];
  readonly events: ProcessEvents;
  /** For drain and stop of everything together. */
  readonly stopTimeoutMs: number;
  /** Called when all components have started: readiness becomes true here. */
  readonly onStarted?: (() => void) | undefined;
  /** Called before the first component is drained: readiness becomes false here. */
  readonly onStopping?: (() => void) | undefined;
  readonly now?: () => number;
}

export type StartOutcome = 'started' | 'stopped' | 'failed' | 'misconfigured';
export type StopOutcome = 'stopped' | 'timedOut';

/**
 * States: created → starting → started → stopping → stopped. A stop is taken in any state and answers every caller
 * with the one outcome; while starting it lets the present component finish, starts no other, and stops those begun.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #now: () => number;
  /** The last started first. */
  readonly #begun: Component[] = [];
  #starting: Promise<StartOutcome> | null = null;
  #stopping: Promise<StopOutcome> | null = null;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Starts the components in order. 'failed': one could not start (it was logged), the others are stopped again.
   * 'misconfigured': the same, and a setting must change before it can start.
   */
  start(): Promise<StartOutcome> {
    this.#starting ??= this.#startAll();
    return this.#starting;
  }

  /** Drains all in reverse order, then stops all in reverse order, under one deadline. Never throws. */
  stop(cause: string): Promise<StopOutcome> {
    this.#stopping ??= this.#stopAll(cause, this.#starting);
    return this.#stopping;
  }

  async #startAll(): Promise<StartOutcome> {
    const { components, events, onStarted } = this.#options;
    const since = this.#now();
    for (const component of components) {
      if (this.#stopping !== null) return 'stopped';
      const outcome = await this.#startOne(component);
      if (outcome !== 'started') {
        this.#stopping ??= this.#stopAll('a component could not start', null);
        await this.#stopping;
        return outcome;
      }
    }
    if (this.#stopping !== null) return 'stopped';
    onStarted?.();
    events.started(this.#now() - since);
    return 'started';
  }

  async #startOne(component: Component): Promise<StartOutcome> {
    const since = this.#now();
    try {
      await component.start?.();
    } catch (error) {
      this.#options.events.componentFailed(component.name, 'start', error);
      return error instanceof ConfigFault ? 'misconfigured' : 'failed';
    }
    this.#begun.unshift(component);
    this.#options.events.componentDone(component.name, 'start', this.#now() - since);
    return 'started';
  }

  async #stopAll(cause: string, starting: Promise<StartOutcome> | null): Promise<StopOutcome> {
    const { events, onStopping, stopTimeoutMs } = this.#options;
    const since = this.#now();
    events.stopping(cause);
    onStopping?.();
    const deadline = createDeadline(stopTimeoutMs);
    if (starting !== null) await deadline.race(starting);
    const drained = await this.#stepAll('drain', deadline);
    const stopped = await this.#stepAll('stop', deadline);
    deadline.clear();
    const outcome = drained && stopped ? 'stopped' : 'timedOut';
    events.stopped(this.#now() - since, outcome);
    return outcome;
  }

  async #stepAll(step: 'drain' | 'stop', deadline: Deadline): Promise<boolean> {
    let inTime = true;
    for (const component of this.#begun) {
      if (component[step] !== undefined) inTime = (await this.#stepOne(component, step, deadline)) && inTime;
    }
    return inTime;
  }

  // After the deadline every remaining step still starts, so that sockets close, but nothing waits for it.
  async #stepOne(component: Component, step: 'drain' | 'stop', deadline: Deadline): Promise<boolean> {
    const { events } = this.#options;
    const since = this.#now();
    try {
      if ((await deadline.race(component[step]?.())) === 'late') {
        events.componentLate(component.name, step);
        return false;
      }
      events.componentDone(component.name, step, this.#now() - since);
    } catch (error) {
      events.componentFailed(component.name, step, error);
    }
    return true;
  }
}

type Deadline = ReturnType<typeof createDeadline>;

/** One deadline for many waits. */
function createDeadline(timeoutMs: number) {
  const passed = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => passed.resolve('late'), timeoutMs);
  return {
    // Promise.race handles a later rejection of the loser.
    /** Resolves with 'late' if the deadline passes first. Throws what the work throws before that. */
    race: (work: Promise<unknown> | undefined) => Promise.race([doneAfter(work), passed.promise]),
    clear: () => clearTimeout(timer),
  };
}

async function doneAfter(work: Promise<unknown> | undefined): Promise<'done'> {
  await work;
  return 'done';
}

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
