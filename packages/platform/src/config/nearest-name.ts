const mostDistance = 2;

/** The name with the fewest edits, two at most, without regard to case and separators. */
export function nearestName(name: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = mostDistance + 1;
  for (const each of names) {
    const distance = distanceOf(plain(name), plain(each));
    if (distance >= least) continue;
    least = distance;
    nearest = each;
  }
  return nearest;
}

function plain(name: string): string {
  return name.slice(0, 128).toLowerCase().replaceAll(/[_.-]/g, '');
}

/** The number of letters to insert, remove or replace; more than `mostDistance` is not counted further. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostDistance) return mostDistance + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [y, letter] of [...a].entries()) {
    const next = [y + 1];
    for (let x = 0; x < b.length; x++) {
      const replaced = (row[x] ?? 0) + (b[x] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[x + 1] ?? 0) + 1, (next[x] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
