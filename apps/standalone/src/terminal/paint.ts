import { styleText } from 'node:util';

export type Paint = ReturnType<typeof createPaint>;

/** Colours by their meaning. */
export function createPaint(coloured: boolean) {
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
