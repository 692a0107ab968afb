const newline = 10;
const longestLineBytes = 64 * 1024;

/**
 * Finds lines that contain one of the marks in a stream of bytes, without decoding the other lines: a busy gateway
 * writes thousands of lines per second. Lines longer than 64 KiB are ignored. Call the result with each chunk.
 */
export function createLineScanner(
  marks: readonly string[],
  onLine: (line: string) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(newline) + 1;
    const lines = bytes.subarray(0, end);
    for (const start of startsOf(lines, marks)) {
      onLine(lines.toString('utf8', start, lines.indexOf(newline, start)));
    }
    const left = bytes.subarray(end);
    rest = left.length > longestLineBytes ? Buffer.alloc(0) : Buffer.from(left);
  };
}

/** The starts of the lines with a mark, in order, without repeats. */
function startsOf(lines: Buffer, marks: readonly string[]): readonly number[] {
  const starts = new Set<number>();
  for (const mark of marks) {
    let at = lines.indexOf(mark);
    while (at !== -1) {
      starts.add(at === 0 ? 0 : lines.lastIndexOf(newline, at - 1) + 1);
      const end = lines.indexOf(newline, at);
      at = end === -1 ? -1 : lines.indexOf(mark, end + 1);
    }
  }
  return [...starts].sort((one, other) => one - other);
}
