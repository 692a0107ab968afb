import type { Logger } from '@tickrate/platform';
import { exitText, type KeepReport } from '../processes/kept-process.ts';
import { explainFault } from '../start-fault.ts';
import type { Terminal } from './terminal.ts';
import { createWarningThrottle, type Warning } from './warning.ts';

export interface SupervisionEvents extends KeepReport {
  /** An app logged a warning or worse. */
  warned(name: string, warning: Warning): void;
  logLost(path: string, err: unknown): void;
}

/** Events of the processes after the start, for the log and the terminal. */
export function createSupervisionEvents(deps: {
  readonly logger: Logger;
  readonly terminal: Terminal;
  readonly now: () => number;
  readonly logFolder: string;
}): SupervisionEvents {
  const { logger, terminal, now, logFolder } = deps;
  const { paint } = terminal;
  const admits = createWarningThrottle(now);
  const say = (sign: string, name: string, text: string) => terminal.say(` ${sign} ${name}: ${text}`);
  return {
    ended(name, exit) {
      logger.error({ process: name, ...exit }, 'a process ended and is restarted');
      say(paint.bad('!'), name, `ended (${exitText(exit)}) and is restarted`);
    },
    back(name, afterMs) {
      logger.info({ process: name, afterMs }, 'a process was restarted');
      say(paint.good('✓'), name, `was restarted after ${(afterMs / 1000).toFixed(1)} s`);
    },
    notBack(name, err) {
      logger.error({ process: name, err }, 'a process could not be restarted');
      const { message, advice } = explainFault(err, logFolder);
      const warning: Warning = { level: 'error', text: `${message}. ${advice}` };
      if (admits(name, warning)) say(paint.bad('!'), name, warning.text);
    },
    warned(name, warning) {
      if (!admits(name, warning)) return;
      say(warning.level === 'warn' ? paint.warn('!') : paint.bad('!'), name, warning.text);
    },
    logLost(path, err) {
      logger.error({ path, err }, 'a log file cannot be written');
      say(paint.bad('!'), path, err instanceof Error ? err.message : String(err));
    },
  };
}
