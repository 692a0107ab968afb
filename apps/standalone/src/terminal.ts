import { createPaint, type Paint } from './paint.ts';

/** A step of the start while it is going on. Exactly one of the two ends it. */
export interface Step {
  done(detail?: string): void;
  failed(): void;
}

/** What the person who started it sees: one line for each step, and whatever must be said afterwards. */
export interface Terminal {
  readonly paint: Paint;
  begin(title: string): Step;
  say(text: string): void;
  /** No moving sign is left behind. */
  close(): void;
}

export interface TerminalOptions {
  readonly stream: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  readonly plain: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 90;
const eraseLine = '\r\u001b[2K';
const titleWidth = 24;

/** Something moves only where somebody can see it: on a terminal that was not asked to be plain. */
export function createTerminal({ stream, plain, now }: TerminalOptions): Terminal {
  const moving = stream.isTTY === true && !plain;
  const paint = createPaint(moving);
  const running = new Set<string>();
  let frame = 0;
  let timer: NodeJS.Timeout | null = null;

  function draw(): void {
    if (!moving || running.size === 0) return;
    const sign = frames[frame++ % frames.length];
    const text = ` ${sign} ${[...running].join(', ')} …`;
    stream.write(`${eraseLine}${paint.dim(text.slice(0, (stream.columns ?? 80) - 1))}`);
  }

  function settle(title: string, line: string): void {
    running.delete(title);
    say(line);
    if (running.size === 0) close();
  }

  function say(text: string): void {
    stream.write(`${moving && running.size > 0 ? eraseLine : ''}${text}\n`);
    draw();
  }

  function close(): void {
    if (timer !== null) {
      clearInterval(timer);
      timer = null;
      stream.write(eraseLine);
    }
  }

  return {
    paint,
    say,
    close,
    begin(title) {
      const since = now();
      running.add(title);
      if (moving) timer ??= setInterval(draw, frameMs);
      draw();
      return {
        done(detail = '') {
          const took = `${((now() - since) / 1000).toFixed(1)} s`;
          settle(
            title,
            ` ${paint.good('✓')} ${title.padEnd(titleWidth)} ${paint.dim(`${took.padStart(6)}  ${detail}`.trimEnd())}`,
          );
        },
        failed: () => settle(title, ` ${paint.bad('✗')} ${title}`),
      };
    },
  };
}
