export function colourOf(index: number): string {
  return `var(--series-${(index % 8) + 1})`;
}

/** Beyond four series, the dash distinguishes too. */
export function dashOf(index: number): number[] {
  return index < 4 ? [] : [6, 3];
}

/** A line of this series in a legend, as a background: dashed where its line is. */
export function legendLine(index: number): string {
  const colour = colourOf(index);
  return dashOf(index).length === 0
    ? colour
    : `linear-gradient(90deg, ${colour} 5px, transparent 5px 7px, ${colour} 7px)`;
}

/** The value of a colour in the current theme, for a canvas. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
