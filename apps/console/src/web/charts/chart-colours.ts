/** The names of the colours of series, in their order. */
export const seriesColours = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `--series-${index}`);

/** Beyond four series, the dash distinguishes too. */
export function dashOf(index: number): number[] {
  return index < 4 ? [] : [6, 3];
}

/** The value of a colour in the current theme, for a canvas. */
export function resolveColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
