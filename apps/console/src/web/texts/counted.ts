/** `1 event`, `2 events`: the count as it is written, and the words after it for one and for any other count. */
export function counted(count: string, one: string, others: string): string {
  return `${count} ${count === '1' ? one : others}`;
}
