/** An error of ClickHouse: its code, its name and the message without both. */
export class EngineError extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
    this.type = type;
  }
}

const UNKNOWN_EXCEPTION = 1002;
const OUTER = /Code: (\d+)\. DB::Exception: /;
const INNER = new RegExp(`^${OUTER.source}`);
const NAMED = /^([\s\S]*?)\.?\s*\(([A-Z][A-Z0-9_]{3,})\)(?: \(version [^)]*(?:\([^)]*\))?\))?\.?\s*$/;

/** Parses the engine's text. Its layers wrap errors: the innermost one is the cause. */
export function parseEngineError(text: string): EngineError {
  const start = OUTER.exec(text);
  if (start === null) return new EngineError(UNKNOWN_EXCEPTION, 'UNKNOWN_EXCEPTION', text.trim());
  let rest = text.slice(start.index + start[0].length);
  let code = Number(start[1]);
  for (let next = INNER.exec(rest); next !== null; next = INNER.exec(rest)) {
    code = Number(next[1]);
    rest = rest.slice(next[0].length);
  }
  const type = NAMED.exec(rest)?.[2] ?? 'UNKNOWN_EXCEPTION';
  // Each layer appends the name again.
  for (let match = NAMED.exec(rest); match?.[2] === type; match = NAMED.exec(rest)) rest = match[1] ?? '';
  return new EngineError(code, type, rest.trimEnd());
}
