import { styleText } from 'node:util';

/** Colours by their meaning. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function createPaint(coloured: boolean): Paint {
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
