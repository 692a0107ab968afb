import { styleText } from 'node:util';

/** A running step of the start. Call exactly one of the two. */
export interface Step {
  done(detail?: string): void;
  failed(): void;
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

/** The output of `npm start`: one line for each step, then messages. */
export type Terminal = ReturnType<typeof createTerminal>;

/** Animates only on a terminal without NO_COLOR. */
export function createTerminal({ stream, plain, now }: TerminalOptions) {
  const moving = stream.isTTY === true && !plain;
  const paint = createPaint(moving);
  const running = new Set<string>();
  const line = createMovingLine(stream, (text) => paint.dim(text), running);

  function say(text: string): void {
    line.erase();
    stream.write(`${text}\n`);
    if (moving) line.draw();
  }

  function settle(title: string, text: string): void {
    if (!running.delete(title)) return;
    say(text);
    if (running.size === 0) line.end();
  }

  return {
    paint,
    say,
    /** Ends the running steps without a word: whatever becomes of them now is no fault. */
    interrupt() {
      running.clear();
      line.end();
    },
    /** Removes the moving line. */
    close: line.end,
    begin(title: string): Step {
      const since = now();
      running.add(title);
      if (moving) line.begin();
      return {
        done(detail = '') {
          const took = `${((now() - since) / 1000).toFixed(1)} s`;
          const rest = paint.dim(`${took.padStart(6)}  ${detail}`.trimEnd());
          settle(title, ` ${paint.good('✓')} ${title.padEnd(titleWidth)} ${rest}`);
        },
        failed: () => settle(title, ` ${paint.bad('✗')} ${title}`),
      };
    },
  };
}

/** The last line of the terminal, which shows the running steps. */
function createMovingLine(
  stream: TerminalOptions['stream'],
  dim: (text: string) => string,
  running: ReadonlySet<string>,
) {
  let frame = 0;
  let timer: NodeJS.Timeout | null = null;
  let drawn = false;

  function erase(): void {
    if (drawn) stream.write(eraseLine);
    drawn = false;
  }

  function draw(): void {
    if (running.size === 0) return;
    const text = ` ${frames[frame++ % frames.length]} ${[...running].join(', ')} …`;
    stream.write(`${eraseLine}${dim(text.slice(0, (stream.columns ?? 80) - 1))}`);
    drawn = true;
  }

  return {
    draw,
    erase,
    begin() {
      timer ??= setInterval(draw, frameMs);
      draw();
    },
    end() {
      if (timer !== null) clearInterval(timer);
      timer = null;
      erase();
    },
  };
}

export type Paint = ReturnType<typeof createPaint>;

/** Colours by their meaning. */
function createPaint(coloured: boolean) {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: style('green'),
    bad: style(['red', 'bold']),
    warn: style('yellow'),
    dim: style('dim'),
    strong: style('bold'),
  };
}
