import type { Locator } from 'playwright-core';

/** Scrolls a long table in jumps of one size, and answers at how many places it saw no row after two frames. */
export async function countBlankRows(table: Locator, jumps: number): Promise<number> {
  return await table.evaluate(async (scroller, jumps) => {
    const most = scroller.scrollHeight - scroller.clientHeight;
    if (most < 1_000) throw new Error('The table is too short to scroll');
    scroller.scrollIntoView({ block: 'end' });
    let blank = 0;
    for (let jump = 0; jump <= jumps; jump += 1) {
      scroller.scrollTop = (most * jump) / jumps;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { left, top, bottom } = scroller.getBoundingClientRect();
      // Below the page's own head and the table's.
      const highest = Math.max(top, 44) + 40;
      const lowest = Math.min(bottom, innerHeight) - 8;
      // Near the first column: the rows are as wide as their columns, not as the table.
      for (const y of [highest, (highest + lowest) / 2, lowest]) {
        const row = document.elementFromPoint(left + 40, y)?.closest('[role=rowgroup] > [role=row]');
        if (row === null || row === undefined) blank += 1;
      }
    }
    return blank;
  }, jumps);
}
